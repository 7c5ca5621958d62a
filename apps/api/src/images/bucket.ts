import { AppError, type ImageName, type ImageStore, imageMediaTypes } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'

/** A bucket of an S3-compatible store, and who calls it. */
export interface BucketSettings {
  readonly endpoint: URL
  readonly region: string
  readonly bucket: string
  /** What the name of every object begins with; may be empty. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** How long one call to the store may take, its bytes included, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000
/** How long the signature of a call is good, in seconds: a clock may be a little off. */
const SIGNATURE_TTL_SECONDS = 300

/** What `reeve doctor` writes and reads. */
const PROBE_KEY = 'reeve-doctor.txt'

export interface BucketStore extends ImageStore {
  /** Writes an object of a few bytes and reads it. @throws Error that says what went wrong, and no secret */
  readonly probe: () => Promise<void>
}

/**
 * Images in a bucket. An object is named by the hash of what it holds, so that the same image is the same object, and an
 * object that was written is never changed.
 */
export function bucket(settings: BucketSettings, timeoutMs = REQUEST_TIMEOUT_MS): BucketStore {
  const { endpoint, prefix, ...rest } = settings
  const client = new Bun.S3Client({ ...rest, endpoint: endpoint.href.replace(/\/$/, '') })

  /**
   * Bun's client signs the call; it is made by `fetch`, which can be told when to give up.
   * @throws Error that says what went wrong, and no secret: a signed address is one
   */
  async function send(method: 'GET' | 'PUT', object: string, body?: UploadInit): Promise<Uint8Array> {
    try {
      const url = client.presign(prefix + object, { method, expiresIn: SIGNATURE_TTL_SECONDS })
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(url, { method, redirect: 'manual', signal, ...body })
      const bytes = await response.bytes()
      if (response.ok) return bytes
      throw new StoreError(`${method} was answered ${response.status} ${parseErrorCode(bytes)}`.trim())
    } catch (error) {
      if (error instanceof StoreError) throw error
      const { name, code } = error as { name?: string; code?: unknown }
      const reason = name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : String(code ?? name)
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
        new StoreError(`the object ${toObjectKey(name)} is not what its name says`),
      )
    },
    async probe() {
      const bytes = Buffer.from(crypto.randomUUID())
      await send('PUT', PROBE_KEY, toUploadInit(bytes, 'text/plain'))
      if (!bytes.equals(await send('GET', PROBE_KEY)))
        throw new StoreError('an object is not what was written just now')
    },
  }
}

class StoreError extends Error {}

interface UploadInit {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** Bytes with their checksum, so that the store takes them whole or not at all. */
const toUploadInit = (bytes: Uint8Array, type: string): UploadInit => ({
  body: bytes as Uint8Array<ArrayBuffer>,
  headers: { 'content-type': type, 'content-md5': Bun.CryptoHasher.hash('md5', bytes, 'base64') },
})

const toObjectKey = ({ hash, extension }: ImageName): string => `${hash}.${extension}`

/** The store's own word for why it refused, such as `AccessDenied`. */
const parseErrorCode = (bytes: Uint8Array): string =>
  /<Code>(\w{1,100})<\/Code>/.exec(new TextDecoder().decode(bytes.subarray(0, 4096)))?.[1] ?? ''

const WRITE_FAILED = 'The store of images does not take this one right now; nothing was changed. Try again.'
const READ_FAILED = 'The store of images does not give this one out right now. Try again.'

/** Tells the caller that the store failed, and the log why. */
const throwUnavailable =
  (message: string) =>
  (error: unknown): never => {
    const unavailable = new AppError('unavailable', { message, headers: { 'retry-after': '1' } })
    unavailable.cause = error
    throw unavailable
  }
