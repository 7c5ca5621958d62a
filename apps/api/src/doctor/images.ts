import { type Queries, statement } from '@reeve/db'
import { pluralize } from '../format.ts'
import { type BucketSettings, bucket } from '../images/bucket.ts'
import { type Finding, fault, ok } from './finding.ts'

const bucketImageCount = statement()((sql) =>
  sql
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('bytes', 'is', null),
)

/** Whether images can be written and read where the settings say that they lie. It writes an object of a few bytes there. */
export async function checkImages(read: Queries, settings: BucketSettings | null): Promise<Finding> {
  const bucketCount = Number((await read.first(bucketImageCount, {}))?.count ?? 0)
  if (settings === null) return checkWithoutBucket(bucketCount)
  const label = `The bucket ${settings.bucket} at ${settings.endpoint.origin}`
  try {
    await bucket(settings).probe()
    return ok('images', `${label} takes images and gives them out; it holds ${bucketCount}.`)
  } catch (error) {
    return fault(
      'images',
      `${label} cannot be used: ${(error as Error).message}.`,
      'Look to the store, to the REEVE_S3_ settings, and to what the key may do: it has to read and write objects.',
    )
  }
}

const checkWithoutBucket = (bucketCount: number): Finding =>
  bucketCount === 0
    ? ok('images', 'Images lie in the database.')
    : fault(
        'images',
        `${pluralize(bucketCount, 'image')} in a bucket cannot be shown: none is set.`,
        'Set the REEVE_S3_ settings that they were stored with.',
      )
