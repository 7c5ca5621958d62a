import { AppError, type ImageName, type ImageStore, imageMediaTypes } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'

/** A bucket of an S3-compatible store and its access key. */
export interface BucketSettings {
  readonly endpoint: URL
  readonly region: string
  readonly bucket: string
  /** The prefix of all object names; may be empty. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Timeout of a request to the store, body included, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000
/** Lifetime of a request signature in seconds, to allow for clock skew. */
const SIGNATURE_TTL_SECONDS = 300

/** The object that `reeve doctor` writes, reads and deletes. */
const PROBE_KEY = 'reeve-doctor.txt'

export interface BucketStore extends ImageStore {
  /** Writes, reads and deletes an object of a few bytes. @throws Error with the cause and without secrets */
  readonly probe: () => Promise<void>
}

/**
 * Stores images in a bucket. The object name is the hash of the content, so equal images share an object, and objects are
 * never overwritten with other content.
 */
export function createBucketStore(settings: BucketSettings, timeoutMs = REQUEST_TIMEOUT_MS): BucketStore {
  const { endpoint, prefix, ...rest } = settings
  const client = new Bun.S3Client({ ...rest, endpoint: endpoint.href.replace(/\/$/, '') })

  /**
   * Signs with Bun's client and sends with `fetch`, which supports a timeout.
   * @throws StoreError with the cause and without secrets: a signed URL is one
   */
  async function send(
    method: 'GET' | 'PUT' | 'DELETE',
    object: string,
    body?: UploadInit,
  ): Promise<Uint8Array> {
    try {
      const url = client.presign(prefix + object, { method, expiresIn: SIGNATURE_TTL_SECONDS })
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(url, { method, redirect: 'manual', signal, ...body })
      const bytes = await response.bytes()
      if (response.ok) return bytes
      throw new StoreError(`${method} returned status ${response.status} ${parseErrorCode(bytes)}`.trim())
    } catch (error) {
      if (error instanceof StoreError) throw error
      const { name, code } = error as { name?: string; code?: unknown }
      const reason = name === 'TimeoutError' ? `no response within ${timeoutMs} ms` : String(code ?? name)
      throw new StoreError(`${method} failed: ${reason}`)
    }
  }

  return {
    async save(name, bytes) {
      await send('PUT', toObjectKey(name), toUploadInit(bytes, imageMediaTypes[name.extension])).catch(
        throwUnavailable(WRITE_FAILED),
      )
      return null
    },
    async load(name) {
      const bytes = await send('GET', toObjectKey(name)).catch(throwUnavailable(READ_FAILED))
      if (sha256Hex(bytes) === name.hash) return bytes
      return throwUnavailable(READ_FAILED)(
        new StoreError(`the content of object ${toObjectKey(name)} does not match its hash`),
      )
    },
    async remove(name) {
      await send('DELETE', toObjectKey(name)).catch(throwUnavailable(DELETE_FAILED))
      return true
    },
    async probe() {
      const bytes = Buffer.from(crypto.randomUUID())
      await send('PUT', PROBE_KEY, toUploadInit(bytes, 'text/plain'))
      if (!bytes.equals(await send('GET', PROBE_KEY)))
        throw new StoreError('an object read back differs from what was written')
      await send('DELETE', PROBE_KEY)
    },
  }
}

class StoreError extends Error {}

interface UploadInit {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** Bytes with their checksum, so that the store rejects a truncated upload. */
const toUploadInit = (bytes: Uint8Array, type: string): UploadInit => ({
  body: bytes as Uint8Array<ArrayBuffer>,
  headers: { 'content-type': type, 'content-md5': Bun.CryptoHasher.hash('md5', bytes, 'base64') },
})

const toObjectKey = ({ hash, extension }: ImageName): string => `${hash}.${extension}`

/** The error code of the store, such as `AccessDenied`. */
const parseErrorCode = (bytes: Uint8Array): string =>
  /<Code>(\w{1,100})<\/Code>/.exec(new TextDecoder().decode(bytes.subarray(0, 4096)))?.[1] ?? ''

const WRITE_FAILED = 'The image store is currently unavailable. Nothing was changed. Try again.'
const DELETE_FAILED = 'The image store is currently unavailable. Nothing was deleted.'
const READ_FAILED = 'The image store is currently unavailable. Try again.'

/** Converts a store failure to `unavailable`. The cause goes to the log only. */
const throwUnavailable =
  (message: string) =>
  (error: unknown): never => {
    const unavailable = new AppError('unavailable', { message, headers: { 'retry-after': '1' } })
    unavailable.cause = error
    throw unavailable
  }
