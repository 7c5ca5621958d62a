import { type BucketClient, BucketError, type BucketResponse } from './client.ts'
import { releaseBuffers } from './release-buffers.ts'
import { retryTransient } from './retry.ts'

/** The size of one request: so much is lost if it fails. */
const RANGE_BYTES = 4 * 2 ** 20
const CONNECTIONS = 3
/** Timeout of a range, in milliseconds. */
const RANGE_TIMEOUT_MS = 300_000

/**
 * Reads an object in ranges, with retries: memory stays bounded however slowly they are processed.
 * @param retry repeats a request that failed
 * @returns its content in order
 * @throws BucketError, also if the object was replaced meanwhile
 */
export async function* downloadObject(
  client: BucketClient,
  name: string,
  timeoutMs = RANGE_TIMEOUT_MS,
  retry: typeof retryTransient = retryTransient,
): AsyncGenerator<Uint8Array> {
  const readRange = (start: number, headers: Readonly<Record<string, string>> = {}) =>
    retry(() => sendRange(client, name, start, headers, timeoutMs))

  const first = await readRange(0)
  const total = parseTotal(first)
  const etag = first.headers.get('etag')
  const sameObject = etag === null ? undefined : { 'if-match': etag }
  const pending: Promise<BucketResponse>[] = []
  let next = first.bytes.length
  const requestAhead = () => {
    for (; pending.length < CONNECTIONS && next < total; next += RANGE_BYTES) {
      const range = readRange(next, sameObject)
      // Awaited in order. Until then, a failure must not count as unhandled.
      range.catch(() => {})
      pending.push(range)
    }
  }
  requestAhead()
  yield first.bytes
  for (let range = pending.shift(); range !== undefined; range = pending.shift()) {
    const { bytes } = await range
    requestAhead()
    yield bytes
    releaseBuffers()
  }
}

async function sendRange(
  client: BucketClient,
  name: string,
  start: number,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<BucketResponse> {
  const range = `bytes=${start}-${start + RANGE_BYTES - 1}`
  const response = await client.send({
    method: 'GET',
    object: name,
    headers: { ...headers, range },
    timeoutMs,
  })
  const expected = Math.min(RANGE_BYTES, parseTotal(response) - start)
  // Without a status: a connection that was cut is worth another attempt.
  if (response.bytes.length !== expected)
    throw new BucketError(`GET returned ${response.bytes.length} of ${expected} bytes`)
  return response
}

/** The size of the whole object. @throws BucketError if the store does not support ranges */
function parseTotal({ status, headers }: BucketResponse): number {
  const [, total] = /^bytes \d+-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  if (status === 206 && total !== undefined) return Number(total)
  throw new BucketError('GET returned no range: the store must support range requests', status)
}
