import { createHash, createHmac } from 'node:crypto'

const REGION = 'eu-test-1'
const BUCKET = 'images'
const KEY_ID = 'AKIDREEVETEST'
const SECRET = 'a-secret-that-nobody-may-read/+='

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The signature of a request whose address is signed, from its parts as they came.
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
function signatureOf(method: string, url: URL, secret: string): string {
  const query = url.search
    .slice(1)
    .split('&')
    .filter((part) => !part.startsWith('X-Amz-Signature='))
    .sort()
    .join('&')
  const at = url.searchParams.get('X-Amz-Date') ?? ''
  const scope = [at.slice(0, 8), REGION, 's3', 'aws4_request']
  const canonical = [method, url.pathname, query, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join(
    '\n',
  )
  const text = ['AWS4-HMAC-SHA256', at, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

/** When a signed address ends, in epoch milliseconds. */
function endOf(query: URLSearchParams): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? '') ?? []
  const [year = 0, month = 0, ...rest] = parts.map(Number)
  return Date.UTC(year, month - 1, ...(rest as [number])) + Number(query.get('X-Amz-Expires')) * 1000
}

const refused = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { status })

/** How a store answers: well; with an error; never; or with the beginning of an object alone. */
export type Mood = 'well' | 'failing' | 'stalled' | 'half'

/** An S3-compatible store on a port of its own: one bucket, and one key that may read and write it. */
export function openObjectStore() {
  const objects = new Map<string, Uint8Array>()
  const calls: string[] = []
  let mood: Mood = 'well'
  let { promise: released, resolve: release } = Promise.withResolvers<void>()

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const query = url.searchParams
    calls.push(`${request.method} ${url.pathname}`)
    if (mood === 'stalled') await released
    if (mood === 'failing') return refused(503, 'SlowDown')
    if (!query.get('X-Amz-Credential')?.startsWith(`${KEY_ID}/`)) return refused(403, 'InvalidAccessKeyId')
    if (query.get('X-Amz-Signature') !== signatureOf(request.method, url, SECRET))
      return refused(403, 'SignatureDoesNotMatch')
    if (endOf(query) < Date.now()) return refused(403, 'AccessDenied')
    const name = url.pathname.slice(`/${BUCKET}/`.length)
    if (url.pathname !== `/${BUCKET}/${name}`) return refused(404, 'NoSuchBucket')
    return request.method === 'PUT' ? put(name, request) : get(name)
  }

  async function put(name: string, request: Request): Promise<Response> {
    const bytes = await request.bytes()
    const sum = createHash('md5').update(bytes).digest('base64')
    if (request.headers.get('content-md5') !== sum) return refused(400, 'BadDigest')
    objects.set(name, bytes)
    return new Response(null, { headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` } })
  }

  function get(name: string): Response {
    const bytes = objects.get(name)
    if (bytes === undefined) return refused(404, 'NoSuchKey')
    if (mood !== 'half') return new Response(bytes as Uint8Array<ArrayBuffer>)
    return new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(bytes.slice(0, bytes.length / 2))
          await released
          controller.close()
        },
      }),
    )
  }

  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
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
    /** The same as variables of the program. */
    env: {
      REEVE_S3_ENDPOINT: settings.endpoint.origin,
      REEVE_S3_REGION: REGION,
      REEVE_S3_BUCKET: BUCKET,
      REEVE_S3_PREFIX: settings.prefix,
      REEVE_S3_ACCESS_KEY_ID: KEY_ID,
      REEVE_S3_SECRET_ACCESS_KEY: SECRET,
    },
    objects,
    /** Every call so far: its method and path. */
    calls,
    /** Changes how it answers; calls that hang are let go. */
    become(next: Mood) {
      mood = next
      release()
      ;({ promise: released, resolve: release } = Promise.withResolvers<void>())
    },
    async close() {
      mood = 'failing'
      release()
      await server.stop(true)
    },
  }
}

export type ObjectStore = ReturnType<typeof openObjectStore>
