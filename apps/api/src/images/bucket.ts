import { AppError, type ImageName, type ImageStore, imageMediaTypes } from '@reeve/core'

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
const CALL_MS = 10_000
/** How long the signature of a call is good, in seconds: a clock may be a little off. */
const SIGNED_SECONDS = 300

/** What `reeve doctor` writes and reads. */
const PROBE = 'reeve-doctor.txt'

export interface Bucket extends ImageStore {
  /** Writes an object of a few bytes and reads it. @throws Error that says what went wrong, and no secret */
  readonly probe: () => Promise<void>
}

/**
 * Images in a bucket. An object is named by the hash of what it holds, so that the same image is the same object, and an
 * object that was written is never changed.
 */
export function bucket(settings: BucketSettings, callMs = CALL_MS): Bucket {
  const { endpoint, prefix, ...rest } = settings
  const client = new Bun.S3Client({ ...rest, endpoint: endpoint.href.replace(/\/$/, '') })

  /**
   * Bun's client signs the call; it is made by `fetch`, which can be told when to give up.
   * @throws Error that says what went wrong, and no secret: a signed address is one
   */
  async function call(method: 'GET' | 'PUT', object: string, body?: Sent): Promise<Uint8Array> {
    try {
      const address = client.presign(prefix + object, { method, expiresIn: SIGNED_SECONDS })
      const signal = AbortSignal.timeout(callMs)
      const response = await fetch(address, { method, redirect: 'manual', signal, ...body })
      const bytes = await response.bytes()
      if (response.ok) return bytes
      throw new StoreError(`${method} was answered ${response.status} ${reasonIn(bytes)}`.trim())
    } catch (error) {
      if (error instanceof StoreError) throw error
      const { name, code } = error as { name?: string; code?: unknown }
      const why = name === 'TimeoutError' ? `no answer within ${callMs} ms` : String(code ?? name)
      throw new StoreError(`${method} failed: ${why}`)
    }
  }

  return {
    async save(name, bytes) {
      await call('PUT', objectOf(name), sent(bytes, imageMediaTypes[name.extension])).catch(fail(NOT_KEPT))
      return null
    },
    async load(name) {
      const bytes = await call('GET', objectOf(name)).catch(fail(NOT_READ))
      if (hashOf('sha256', bytes, 'hex') === name.hash) return bytes
      return fail(NOT_READ)(new StoreError(`the object ${objectOf(name)} is not what its name says`))
    },
    async probe() {
      const bytes = Buffer.from(crypto.randomUUID())
      await call('PUT', PROBE, sent(bytes, 'text/plain'))
      if (!bytes.equals(await call('GET', PROBE)))
        throw new StoreError('an object is not what was written just now')
    },
  }
}

class StoreError extends Error {}

interface Sent {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** Bytes with their checksum, so that the store takes them whole or not at all. */
const sent = (bytes: Uint8Array, type: string): Sent => ({
  body: bytes as Uint8Array<ArrayBuffer>,
  headers: { 'content-type': type, 'content-md5': hashOf('md5', bytes, 'base64') },
})

const objectOf = ({ hash, extension }: ImageName): string => `${hash}.${extension}`

const hashOf = (algorithm: 'md5' | 'sha256', bytes: Uint8Array, as: 'hex' | 'base64'): string =>
  new Bun.CryptoHasher(algorithm).update(bytes).digest(as)

/** The store's own word for why it refused, such as `AccessDenied`. */
const reasonIn = (bytes: Uint8Array): string =>
  /<Code>(\w{1,100})<\/Code>/.exec(new TextDecoder().decode(bytes.subarray(0, 4096)))?.[1] ?? ''

const NOT_KEPT = 'The store of images does not take this one right now; nothing was changed. Try again.'
const NOT_READ = 'The store of images does not give this one out right now. Try again.'

/** Tells the caller that the store failed, and the log why. */
const fail =
  (message: string) =>
  (error: unknown): never => {
    const told = new AppError('unavailable', { message, headers: { 'retry-after': '1' } })
    told.cause = error
    throw told
  }
