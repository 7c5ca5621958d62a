import { createHash, createHmac } from 'node:crypto'
import {
  createUploads,
  errorResponse,
  listObjects,
  readVerified,
  selectRange,
  toEtag,
} from './object-uploads.ts'

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

/** How the store responds: normally, with an error, that it has no such function, never, or with a part of the object. */
export type StoreBehavior = 'ok' | 'failing' | 'unsupported' | 'stalled' | 'truncated'

/** A fault of the next requests that match. */
export interface StoreFault {
  readonly matches: (request: Request, url: URL) => boolean
  readonly behavior: Exclude<StoreBehavior, 'ok'>
  /** How many requests it affects. */
  readonly times: number
}

export interface ObjectStoreOptions {
  /** Keeps objects that were uploaded in parts in files of this folder. Default: in memory. */
  readonly folder?: string
  readonly port?: number
}

/** Starts an S3-compatible store on its own port with one bucket and one key. */
export function startObjectStore({ folder, port = 0 }: ObjectStoreOptions = {}) {
  const objects = new Map<string, Blob>()
  const uploads = createUploads(objects, folder)
  const requests: string[] = []
  const faults: { fault: StoreFault; left: number }[] = []
  let behavior: StoreBehavior = 'ok'
  let { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()

  /** The behavior for a request: that of the first fault, or else the general one. */
  function takeBehavior(request: Request, url: URL): StoreBehavior {
    const active = faults.find(({ fault, left }) => left > 0 && fault.matches(request, url))
    if (!active) return behavior
    active.left -= 1
    return active.fault.behavior
  }

  async function handleRequest(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const query = url.searchParams
    requests.push(`${request.method} ${url.pathname}`)
    const chosen = takeBehavior(request, url)
    if (chosen === 'stalled') await unblocked
    if (chosen === 'failing') return errorResponse(503, 'SlowDown')
    if (chosen === 'unsupported') return errorResponse(501, 'NotImplemented')
    if (!query.get('X-Amz-Credential')?.startsWith(`${KEY_ID}/`))
      return errorResponse(403, 'InvalidAccessKeyId')
    if (query.get('X-Amz-Signature') !== computeSignature(request.method, url, SECRET))
      return errorResponse(403, 'SignatureDoesNotMatch')
    if (expiresAt(query) < Date.now()) return errorResponse(403, 'AccessDenied')
    const [, bucket, ...segments] = url.pathname.split('/')
    if (bucket !== BUCKET) return errorResponse(404, 'NoSuchBucket')
    const name = segments.join('/')
    if (name === '') return query.has('uploads') ? uploads.list(query) : listObjects(objects, query)
    if (query.has('uploads')) return uploads.create(name)
    if (query.has('uploadId')) return uploads.handle(request, name, query)
    if (request.method === 'DELETE') {
      objects.delete(name)
      return new Response(null, { status: 204 })
    }
    return request.method === 'PUT' ? putObject(name, request) : getObject(name, request, chosen)
  }

  async function putObject(name: string, request: Request): Promise<Response> {
    const bytes = await readVerified(request)
    if (bytes instanceof Response) return bytes
    objects.set(name, new Blob([bytes]))
    return new Response(null, { headers: { etag: toEtag(bytes) } })
  }

  function getObject(name: string, request: Request, chosen: StoreBehavior): Response {
    const object = objects.get(name)
    if (object === undefined) return errorResponse(404, 'NoSuchKey')
    const { content, status, headers } = selectRange(object, request)
    if (chosen !== 'truncated') return new Response(content, { status, headers })
    return new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(await content.slice(0, content.size / 2).bytes())
          await unblocked
          controller.close()
        },
      }),
      { status, headers },
    )
  }

  const server = Bun.serve({ hostname: '127.0.0.1', port, idleTimeout: 0, fetch: handleRequest })
  const settings = {
    endpoint: new URL(server.url.origin),
    region: REGION,
    bucket: BUCKET,
    prefix: 'media/',
    accessKeyId: KEY_ID,
    secretAccessKey: SECRET,
  }
  /** The settings of a bucket as environment variables. */
  const toEnv = (start: string, prefix: string) => ({
    [`${start}_ENDPOINT`]: settings.endpoint.origin,
    [`${start}_REGION`]: REGION,
    [`${start}_BUCKET`]: BUCKET,
    [`${start}_PREFIX`]: prefix,
    [`${start}_ACCESS_KEY_ID`]: KEY_ID,
    [`${start}_SECRET_ACCESS_KEY`]: SECRET,
  })

  return {
    settings,
    /** The settings of an image bucket as environment variables. */
    env: toEnv('REEVE_S3', settings.prefix),
    /** Those of a backup bucket, without what backups are encrypted with. */
    backupEnv: toEnv('REEVE_BACKUP_S3', 'backups/'),
    objects,
    /** The objects of unfinished uploads. */
    unfinished: uploads.listNames,
    /** Every request so far: method and path. */
    requests,
    /** Changes the behavior; stalled requests continue. */
    setBehavior(nextBehavior: StoreBehavior) {
      behavior = nextBehavior
      unblock()
      ;({ promise: unblocked, resolve: unblock } = Promise.withResolvers<void>())
    },
    /** Makes the next requests that match fail. @returns ends the fault */
    addFault(fault: StoreFault): () => void {
      const active = { fault, left: fault.times }
      faults.push(active)
      return () => {
        active.left = 0
      }
    },
    async close() {
      behavior = 'failing'
      unblock()
      await server.stop(true)
    },
  }
}

export type ObjectStore = ReturnType<typeof startObjectStore>
