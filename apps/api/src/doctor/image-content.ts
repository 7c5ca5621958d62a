import type { ImageExtension, ImageStore } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import { freeBytes, type Queries, statement } from '@reeve/db'
import type { Progress } from '../command-line/command.ts'
import { MAX_NAMED, pluralize } from '../format.ts'
import { createBucketStore } from '../images/bucket.ts'
import { BucketError, type BucketSettings } from '../s3/client.ts'
import { type Finding, fault, ok } from './finding.ts'

interface Page {
  readonly after: string
  readonly limit: number
}

const storedImages = statement<Page>()((sql, p) =>
  sql
    .selectFrom('media')
    .select(['hash', 'bytes'])
    .where('bytes', 'is not', null)
    .where('hash', '>', p.after)
    .orderBy('hash')
    .limit(p.limit),
)
/** Cleanup may just be deleting images that nothing uses. */
const bucketImages = statement<Page>()((sql, p) =>
  sql
    .selectFrom('media')
    .select(['hash', 'extension'])
    .where('bytes', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('unused_image').select('hash').whereRef('unused_image.hash', '=', 'media.hash'),
        ),
      ),
    )
    .where('hash', '>', p.after)
    .orderBy('hash')
    .limit(p.limit),
)

/** Images in memory at a time: each has at most 2 MiB. */
const PAGE_IMAGES = 8
/** Images that are downloaded from a bucket, at most 400 MiB. */
const SAMPLE_IMAGES = 200

/**
 * Compares images with their hash: every one in the database, and a random sample of those in the bucket.
 * @param sampleFrom a hash: the sample begins there, so that each check reads others
 */
export async function checkImageContent(
  read: Queries,
  settings: BucketSettings | null,
  progress: Progress,
  sampleFrom: string = randomHash(),
): Promise<Finding> {
  const damaged: string[] = []
  const inDatabase = await compareStored(read, damaged, progress)
  const sample = settings === null ? [] : await readSample(read, sampleFrom)
  if (settings !== null) await compareSample(createBucketStore(settings), sample, damaged, progress)
  const sampled = sample.length > 0 ? ` and ${pluralize(sample.length, 'image')} of the bucket` : ''
  const limited = sample.length === SAMPLE_IMAGES ? ', a random sample,' : ''
  if (damaged.length === 0)
    return ok(
      'hashes',
      `${pluralize(inDatabase, 'image')} of the database${sampled}${limited} match their hashes.`,
    )
  const named = damaged.slice(0, MAX_NAMED).join('; ')
  const others = damaged.length > MAX_NAMED ? `; and ${damaged.length - MAX_NAMED} more` : ''
  return fault(
    'hashes',
    `${pluralize(damaged.length, 'image')} of ${inDatabase + sample.length} compared: ${named}${others}.`,
    'They were changed without Reeve, or the storage is damaged. Restore a backup from before the change (`reeve restore --from <backup>`), ' +
      'or upload the images of these events again. Find out who can write to the database and the bucket.',
  )
}

async function compareStored(read: Queries, damaged: string[], progress: Progress): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const page = await read.all(storedImages, { after, limit: PAGE_IMAGES })
    for (const { hash, bytes } of page) {
      count += 1
      if (bytes === null) continue
      if (sha256Hex(bytes) !== hash) damaged.push(`image ${hash} does not match its hash`)
      freeBytes(bytes)
    }
    if (count % 200 < PAGE_IMAGES) progress.update(`${pluralize(count, 'image')} compared`)
    after = page.at(-1)?.hash ?? ''
    if (page.length < PAGE_IMAGES) return count
  }
}

/** Images of the bucket from a hash on, and from the first one if there are too few. */
async function readSample(read: Queries, from: string) {
  const last = await read.all(bucketImages, { after: from, limit: SAMPLE_IMAGES })
  const missing = SAMPLE_IMAGES - last.length
  if (missing === 0) return last
  const first = await read.all(bucketImages, { after: '', limit: missing })
  return [...last, ...first.filter(({ hash }) => hash <= from)]
}

async function compareSample(
  store: ImageStore,
  sample: readonly { readonly hash: string; readonly extension: string }[],
  damaged: string[],
  progress: Progress,
): Promise<void> {
  for (const [index, { hash, extension }] of sample.entries()) {
    try {
      freeBytes(await store.load({ hash, extension: extension as ImageExtension }))
    } catch (error) {
      const { cause } = error as Error
      if (!(cause instanceof BucketError)) throw error
      damaged.push(`image ${hash} in the bucket: ${cause.message}`)
    }
    if (index % 20 === 0) progress.update(`${pluralize(index, 'image')} of the bucket compared`)
  }
}

const randomHash = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
