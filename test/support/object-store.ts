import { createHash, createHmac } from 'node:crypto'

const REGION = 'eu-test-1'
const BUCKET = 'images'
const KEY_ID = 'AKIDREEVETEST'
const SECRET = 'a-secret-that-nobody-may-read/+='

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The signature of a presigned request, computed from its parts as received.
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
function computeSignature(method: string, url: URL, secret: string): string {
  const query = url.search
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('X-Amz-Signature='))
    .sort()
    .join('&')
  const timestamp = url.searchParams.get('X-Amz-Date') ?? ''
  const scope = [timestamp.slice(0, 8), REGION, 's3', 'aws4_request']
  const canonical = [method, url.pathname, query, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join(
    '\n',
  )
  const text = ['AWS4-HMAC-SHA256', timestamp, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((derivedKey, part) => hmac(derivedKey, part), `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

/** When a presigned URL expires, in epoch milliseconds. */
function expiresAt(query: URLSearchParams): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? '') ?? []
  const [year = 0, month = 0, ...timeParts] = parts.map(Number)
  return Date.UTC(year, month - 1, ...(timeParts as [number])) + Number(query.get('X-Amz-Expires')) * 1000
}

const errorResponse = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { status })

/** How the store responds: normally, with an error, never, or with a part of the object. */
export type StoreBehavior = 'ok' | 'failing' | 'stalled' | 'truncated'

/** Starts an S3-compatible store on its own port with one bucket and one key. */
export function startObjectStore() {
  const objects = new Map<string, Uint8Array>()
  const requests: string[] = []
  let behavior: StoreBehavior = 'ok'
  let { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()

  async function handleRequest(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const query = url.searchParams
    requests.push(`${request.method} ${url.pathname}`)
    if (behavior === 'stalled') await unblocked
    if (behavior === 'failing') return errorResponse(503, 'SlowDown')
    if (!query.get('X-Amz-Credential')?.startsWith(`${KEY_ID}/`))
      return errorResponse(403, 'InvalidAccessKeyId')
    if (query.get('X-Amz-Signature') !== computeSignature(request.method, url, SECRET))
      return errorResponse(403, 'SignatureDoesNotMatch')
    if (expiresAt(query) < Date.now()) return errorResponse(403, 'AccessDenied')
    const name = url.pathname.slice(`/${BUCKET}/`.length)
    if (url.pathname !== `/${BUCKET}/${name}`) return errorResponse(404, 'NoSuchBucket')
    if (request.method === 'DELETE') {
      objects.delete(name)
      return new Response(null, { status: 204 })
    }
    return request.method === 'PUT' ? putObject(name, request) : getObject(name)
  }

  async function putObject(name: string, request: Request): Promise<Response> {
    const bytes = await request.bytes()
    const contentMd5 = createHash('md5').update(bytes).digest('base64')
    if (request.headers.get('content-md5') !== contentMd5) return errorResponse(400, 'BadDigest')
    objects.set(name, bytes)
    return new Response(null, { headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` } })
  }

  function getObject(name: string): Response {
    const bytes = objects.get(name)
    if (bytes === undefined) return errorResponse(404, 'NoSuchKey')
    if (behavior !== 'truncated') return new Response(bytes as Uint8Array<ArrayBuffer>)
    return new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(bytes.slice(0, bytes.length / 2))
          await unblocked
          controller.close()
        },
      }),
    )
  }

  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: handleRequest })
  const settings = {
    endpoint: new URL(server.url.origin),
    region: REGION,
    bucket: BUCKET,
    prefix: 'media/',
    accessKeyId: KEY_ID,
    secretAccessKey: SECRET,
  }

  return {
    settings,
    /** The settings as environment variables. */
    env: {
      REEVE_S3_ENDPOINT: settings.endpoint.origin,
      REEVE_S3_REGION: REGION,
      REEVE_S3_BUCKET: BUCKET,
      REEVE_S3_PREFIX: settings.prefix,
      REEVE_S3_ACCESS_KEY_ID: KEY_ID,
      REEVE_S3_SECRET_ACCESS_KEY: SECRET,
    },
    objects,
    /** Every request so far: method and path. */
    requests,
    /** Changes the behavior; stalled requests continue. */
    setBehavior(nextBehavior: StoreBehavior) {
      behavior = nextBehavior
      unblock()
      ;({ promise: unblocked, resolve: unblock } = Promise.withResolvers<void>())
    },
    async close() {
      behavior = 'failing'
      unblock()
      await server.stop(true)
    },
  }
}

export type ObjectStore = ReturnType<typeof startObjectStore>
