import { type BucketClient, BucketError, parseErrorCode, toBucketError, toDigestHeader } from './client.ts'
import { abortUpload, findText, listObjects } from './objects.ts'
import { releaseBuffers } from './release-buffers.ts'
import { retryTransient } from './retry.ts'

const MIB = 2 ** 20
/** Limits of a store. Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const MAX_PARTS = 10_000
/** The usual size of a part: every connection keeps one in memory. The minimum is 5 MiB, except for the last part. */
const PART_BYTES = 8 * MIB
const CONNECTIONS = 3
/** Timeout of a part, in milliseconds: all connections together need at least 0.7 Mbit/s. */
const PART_TIMEOUT_MS = 300_000
/** Assembling a large object takes the store minutes. It sends the status first and the outcome at the end. */
const COMPLETE_TIMEOUT_MS = 600_000

/** The size of the parts of an object, in bytes, so that no more than the allowed number is needed. */
export const computePartBytes = (maxBytes: number): number =>
  Math.max(PART_BYTES, Math.ceil(maxBytes / (MAX_PARTS - 1) / MIB) * MIB)

interface Part {
  readonly number: number
  readonly etag: string
}

export interface UploadOptions {
  readonly client: BucketClient
  readonly name: string
  /** Timeout of a part; another one only in tests. */
  readonly partTimeoutMs?: number
}

/**
 * Uploads an object in parts, with retries. It appears in the bucket when it is complete. After a failure, its parts are deleted.
 * @param parts each as large as the store requires; a part is not changed after it was yielded
 * @returns its size in bytes
 * @throws BucketError; what the parts throw
 */
export async function uploadObject(
  { client, name, partTimeoutMs = PART_TIMEOUT_MS }: UploadOptions,
  parts: AsyncIterable<Uint8Array>,
): Promise<number> {
  const created = await retryTransient(() =>
    client.send({ method: 'POST', object: name, query: { uploads: '' } }),
  )
  const uploadId = findText(new TextDecoder().decode(created.bytes), 'UploadId')
  if (uploadId === '') throw new BucketError('POST returned no upload ID')

  async function sendPart(number: number, body: Uint8Array): Promise<Part> {
    const query = { partNumber: String(number), uploadId }
    const headers = toDigestHeader(body)
    const sent = await retryTransient(() =>
      client.send({ method: 'PUT', object: name, query, headers, body, timeoutMs: partTimeoutMs }),
    )
    return { number, etag: sent.headers.get('etag') ?? '' }
  }

  try {
    const { sent, bytes } = await sendParts(parts, sendPart)
    await completeUpload(client, name, uploadId, sent, bytes)
    return bytes
  } catch (error) {
    // Nothing more can be done about a failure here: the next upload aborts what remains.
    await abortUpload(client, { name, uploadId }).catch(() => {})
    throw error
  }
}

/** Sends parts over several connections. Holds one more part than connections in memory. */
async function sendParts(
  parts: AsyncIterable<Uint8Array>,
  sendPart: (number: number, body: Uint8Array) => Promise<Part>,
): Promise<{ sent: Part[]; bytes: number }> {
  const sent: Part[] = []
  const pending = new Set<Promise<void>>()
  let [count, bytes] = [0, 0]
  try {
    for await (const body of parts) {
      if (pending.size >= CONNECTIONS) await Promise.race(pending)
      count += 1
      bytes += body.length
      releaseBuffers()
      const sending: Promise<void> = sendPart(count, body).then((part) => {
        sent.push(part)
        pending.delete(sending)
      })
      // Awaited below. Until then, a failure must not count as unhandled.
      sending.catch(() => {})
      pending.add(sending)
    }
    await Promise.all(pending)
    return { sent: sent.toSorted((a, b) => a.number - b.number), bytes }
  } catch (error) {
    await Promise.allSettled(pending)
    throw error
  }
}

async function completeUpload(
  client: BucketClient,
  name: string,
  uploadId: string,
  parts: readonly Part[],
  bytes: number,
): Promise<void> {
  const list = parts
    .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
    .join('')
  const body = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`)
  try {
    await retryTransient(async () => {
      const query = { uploadId }
      const timeoutMs = COMPLETE_TIMEOUT_MS
      const completed = await client.send({ method: 'POST', object: name, query, body, timeoutMs })
      // A store can send the status before it knows the outcome.
      const code = parseErrorCode(completed.bytes)
      if (code !== '') throw toBucketError('POST', code === 'InternalError' ? 500 : completed.status, code)
    })
  } catch (error) {
    // An earlier attempt was carried out, and its response was lost.
    const isGone = error instanceof BucketError && error.code === 'NoSuchUpload'
    if (!isGone || !(await hasObject(client, name, bytes))) throw error
  }
}

const hasObject = async (client: BucketClient, name: string, bytes: number): Promise<boolean> =>
  (await listObjects(client, name)).some((object) => object.name === name && object.bytes === bytes)
