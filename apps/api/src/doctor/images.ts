import { type Queries, statement } from '@reeve/db'
import { type BucketSettings, bucket } from '../images/bucket.ts'
import { counted } from '../words.ts'
import { type Finding, fault, ok } from './finding.ts'

const imagesElsewhere = statement()((sql) =>
  sql
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('bytes', 'is', null),
)

/** Whether images can be written and read where the settings say that they lie. It writes an object of a few bytes there. */
export async function lookAtImages(read: Queries, settings: BucketSettings | null): Promise<Finding> {
  const elsewhere = Number((await read.first(imagesElsewhere, {}))?.count ?? 0)
  if (settings === null) return withoutBucket(elsewhere)
  const where = `The bucket ${settings.bucket} at ${settings.endpoint.origin}`
  try {
    await bucket(settings).probe()
    return ok('images', `${where} takes images and gives them out; it holds ${elsewhere}.`)
  } catch (error) {
    return fault(
      'images',
      `${where} cannot be used: ${(error as Error).message}.`,
      'Look to the store, to the REEVE_S3_ settings, and to what the key may do: it has to read and write objects.',
    )
  }
}

const withoutBucket = (elsewhere: number): Finding =>
  elsewhere === 0
    ? ok('images', 'Images lie in the database.')
    : fault(
        'images',
        `${counted(elsewhere, 'image')} in a bucket cannot be shown: none is set.`,
        'Set the REEVE_S3_ settings that they were stored with.',
      )
