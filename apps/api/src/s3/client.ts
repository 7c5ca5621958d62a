import { AwsV4Signer } from 'aws4fetch'

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

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of the object without the prefix of the settings; null for a request to the bucket itself. */
  readonly object: string | null
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Timeout in milliseconds, body included, if it is not that of the client. */
  readonly timeoutMs?: number
}

export interface BucketResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** A request that failed. The message has the cause and no secret: a signed URL is one. */
export class BucketError extends Error {
  /** The status of the response; null if there was none. */
  readonly status: number | null
  /** The error code of the store, such as `AccessDenied`; empty if it sent none. */
  readonly code: string

  constructor(message: string, status: number | null = null, code = '') {
    super(message)
    this.name = 'BucketError'
    this.status = status
    this.code = code
  }

  /** Whether the same request can succeed later. Source: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
  get isTransient(): boolean {
    if (this.status === null) return true
    if (this.status >= 500) return this.status !== NOT_IMPLEMENTED
    return this.status === 408 || this.status === 429 || TRANSIENT_CODES.has(this.code)
  }
}

/** What the store does not support, it will not support later. */
const NOT_IMPLEMENTED = 501
/** Codes of responses with status 400. */
const TRANSIENT_CODES = new Set(['RequestTimeout', 'BadDigest', 'IncompleteBody'])

/** Timeout of a request, body included, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000
/** Lifetime of a request signature in seconds, to allow for clock skew. */
const SIGNATURE_TTL_SECONDS = 300

export interface BucketClient {
  readonly settings: BucketSettings
  /** Sends a request. @throws BucketError, also for a response that is not a success */
  readonly send: (request: BucketRequest) => Promise<BucketResponse>
}

/** Opens a bucket of a store with path-style URLs: `<endpoint>/<bucket>/<object>`. */
export function createBucketClient(settings: BucketSettings, timeoutMs = REQUEST_TIMEOUT_MS): BucketClient {
  const { accessKeyId, secretAccessKey, region, prefix } = settings
  const root = `${settings.endpoint.href.replace(/\/$/, '')}/${settings.bucket}`

  async function signUrl({ method, object, query = {} }: BucketRequest): Promise<URL> {
    const url = new URL(object === null ? root : `${root}/${prefix}${object}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    url.searchParams.set('X-Amz-Expires', String(SIGNATURE_TTL_SECONDS))
    const credentials = { accessKeyId, secretAccessKey, region, service: 's3' }
    return (await new AwsV4Signer({ ...credentials, method, url: url.href, signQuery: true }).sign()).url
  }

  return {
    settings,
    async send(request) {
      const { method, headers = {}, body } = request
      const timeout = request.timeoutMs ?? timeoutMs
      try {
        const response = await fetch(await signUrl(request), {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeout),
          ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
        })
        const bytes = await response.bytes()
        if (response.ok) return { status: response.status, headers: response.headers, bytes }
        throw toBucketError(method, response.status, parseErrorCode(bytes))
      } catch (error) {
        if (error instanceof BucketError) throw error
        const { name, code } = error as { name?: string; code?: unknown }
        const reason = name === 'TimeoutError' ? `no response within ${timeout} ms` : String(code ?? name)
        throw new BucketError(`${method} failed: ${reason}`)
      }
    },
  }
}

/** The error for a response that reports a failure. */
export const toBucketError = (method: string, status: number, code: string): BucketError =>
  new BucketError(`${method} returned status ${status} ${code}`.trim(), status, code)

/** The error code of the store, such as `AccessDenied`; empty if the body is not that of an error. */
export const parseErrorCode = (bytes: Uint8Array): string =>
  /<Code>(\w{1,100})<\/Code>/.exec(new TextDecoder().decode(bytes.subarray(0, 4096)))?.[1] ?? ''

/** The header with which the store rejects a body that was changed or truncated on the way. */
export const toDigestHeader = (bytes: Uint8Array): Readonly<Record<string, string>> => ({
  'content-md5': Bun.CryptoHasher.hash('md5', bytes, 'base64'),
})
