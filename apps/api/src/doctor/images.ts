import { type Queries, statement } from '@reeve/db'
import type { Progress } from '../command-line/command.ts'
import { pluralize } from '../format.ts'
import { createBucketStore } from '../images/bucket.ts'
import type { BucketSettings } from '../s3/client.ts'
import { type Finding, fault, ok } from './finding.ts'
import { checkImageContent } from './image-content.ts'

const bucketImageCount = statement()((sql) =>
  sql
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('bytes', 'is', null),
)

/** Checks the store of images, and their content if the store can be read. */
export async function checkImages(
  read: Queries,
  settings: BucketSettings | null,
  progress: Progress,
): Promise<Finding[]> {
  const store = await checkStore(read, settings)
  const readable = store.verdict === 'ok' ? settings : null
  return [store, await checkImageContent(read, readable, progress)]
}

/** Checks that images can be written to and read from the configured store. Writes an object of a few bytes to a bucket, and deletes it. */
async function checkStore(read: Queries, settings: BucketSettings | null): Promise<Finding> {
  const bucketCount = Number((await read.first(bucketImageCount, {}))?.count ?? 0)
  if (settings === null) return checkWithoutBucket(bucketCount)
  const label = `The bucket ${settings.bucket} at ${settings.endpoint.origin}`
  try {
    await createBucketStore(settings).probe()
    return ok('images', `${label} can be read and written; it contains ${pluralize(bucketCount, 'image')}.`)
  } catch (error) {
    return fault(
      'images',
      `${label} cannot be used: ${(error as Error).message}.`,
      'Check the store, the REEVE_S3_ settings, and that the access key can read, write and delete objects.',
    )
  }
}

const checkWithoutBucket = (bucketCount: number): Finding =>
  bucketCount === 0
    ? ok('images', 'Images are stored in the database.')
    : fault(
        'images',
        `${pluralize(bucketCount, 'image')} in a bucket cannot be shown: no bucket is configured.`,
        'Set the REEVE_S3_ settings of the bucket that they were stored in.',
      )
