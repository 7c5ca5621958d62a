import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

// Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html

const MIN_PART_BYTES = 5 * 2 ** 20
const MAX_PARTS = 10_000
/** Lower than that of S3, so that tests need several pages. */
const LIST_PAGE = 3

export const errorResponse = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { status })

export const toEtag = (bytes: Uint8Array): string => `"${createHash('md5').update(bytes).digest('hex')}"`

/** Reads a body; the response to one that is not what its sender sent. */
export async function readVerified(request: Request): Promise<Uint8Array<ArrayBuffer> | Response> {
  const bytes = await request.bytes()
  const contentMd5 = createHash('md5').update(bytes).digest('base64')
  return request.headers.get('content-md5') === contentMd5 ? bytes : errorResponse(400, 'BadDigest')
}

/** The part of an object that a request asks for. */
export function selectRange(object: Blob, request: Request) {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
  const etag = `"size-${object.size}"`
  const expected = request.headers.get('if-match')
  if (expected !== null && expected !== etag)
    return { content: new Blob(), status: 412, headers: { etag } as Record<string, string> }
  if (start === undefined)
    return { content: object, status: 200, headers: { etag } as Record<string, string> }
  if (Number(start) >= object.size)
    return { content: new Blob(), status: 416, headers: { etag } as Record<string, string> }
  const last = Math.min(Number(end), object.size - 1)
  const headers: Record<string, string> = { etag, 'content-range': `bytes ${start}-${last}/${object.size}` }
  return { content: object.slice(Number(start), last + 1), status: 206, headers }
}

const toXml = (tag: string, content: string): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n<${tag}>${content}</${tag}>`)

/** A page of the objects whose names begin with the prefix. */
export function listObjects(objects: ReadonlyMap<string, Blob>, query: URLSearchParams): Response {
  const names = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).sort()
  const start = Number(query.get('continuation-token') ?? 0)
  const entries = names
    .slice(start, start + LIST_PAGE)
    .map((name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)?.size}</Size></Contents>`)
  const next = start + LIST_PAGE
  const more = next < names.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
  return toXml('ListBucketResult', entries.join('') + more)
}

interface Upload {
  readonly name: string
  readonly parts: Map<number, { readonly etag: string; readonly size: number; readonly content: Blob | null }>
}

/** Uploads in parts. @param folder keeps the parts in a file of this folder, which requires that they have one size */
export function createUploads(objects: Map<string, Blob>, folder: string | undefined) {
  const uploads = new Map<string, Upload>()
  const toPath = (uploadId: string) => join(folder ?? '', uploadId)

  function storePart(uploadId: string, number: number, bytes: Uint8Array<ArrayBuffer>): Blob | null {
    if (folder === undefined) return new Blob([bytes])
    const descriptor = openSync(toPath(uploadId), 'r+')
    const partBytes = Math.max(
      bytes.length,
      ...[...(uploads.get(uploadId)?.parts.values() ?? [])].map(({ size }) => size),
    )
    for (let at = 0; at < bytes.length; )
      at += writeSync(descriptor, bytes, at, bytes.length - at, (number - 1) * partBytes + at)
    closeSync(descriptor)
    return null
  }

  async function putPart(request: Request, upload: Upload, query: URLSearchParams): Promise<Response> {
    const number = Number(query.get('partNumber'))
    if (!(number >= 1 && number <= MAX_PARTS)) return errorResponse(400, 'InvalidArgument')
    const bytes = await readVerified(request)
    if (bytes instanceof Response) return bytes
    const etag = toEtag(bytes)
    const content = storePart(String(query.get('uploadId')), number, bytes)
    upload.parts.set(number, { etag, size: bytes.length, content })
    return new Response(null, { headers: { etag } })
  }

  async function complete(request: Request, upload: Upload, uploadId: string): Promise<Response> {
    const wanted = [
      ...(await request.text()).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g),
    ]
    const numbers = wanted.map(([, number]) => Number(number))
    if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0)))
      return errorResponse(400, 'InvalidPartOrder')
    const parts = wanted.map(([, number, etag]) => {
      const part = upload.parts.get(Number(number))
      return part?.etag === etag ? part : undefined
    })
    if (parts.length === 0 || parts.includes(undefined)) return errorResponse(400, 'InvalidPart')
    if (parts.slice(0, -1).some((part) => (part?.size ?? 0) < MIN_PART_BYTES))
      return errorResponse(400, 'EntityTooSmall')
    const object =
      folder === undefined ? new Blob(parts.map((part) => part?.content ?? '')) : Bun.file(toPath(uploadId))
    objects.set(upload.name, object)
    uploads.delete(uploadId)
    return toXml('CompleteMultipartUploadResult', `<Key>${upload.name}</Key>`)
  }

  return {
    async create(name: string): Promise<Response> {
      // With characters that must be encoded in a URL.
      const uploadId = `${folder === undefined ? 'a+b/c=' : ''}${crypto.randomUUID()}`
      if (folder !== undefined) await Bun.write(toPath(uploadId), '')
      uploads.set(uploadId, { name, parts: new Map() })
      return toXml('InitiateMultipartUploadResult', `<UploadId>${uploadId}</UploadId>`)
    },
    async handle(request: Request, name: string, query: URLSearchParams): Promise<Response> {
      const uploadId = String(query.get('uploadId'))
      const upload = uploads.get(uploadId)
      if (upload?.name !== name) return errorResponse(404, 'NoSuchUpload')
      if (request.method === 'PUT') return putPart(request, upload, query)
      if (request.method === 'POST') return complete(request, upload, uploadId)
      uploads.delete(uploadId)
      return new Response(null, { status: 204 })
    },
    list(query: URLSearchParams): Response {
      const entries = [...uploads]
        .filter(([, { name }]) => name.startsWith(query.get('prefix') ?? ''))
        .map(([uploadId, { name }]) => `<Upload><Key>${name}</Key><UploadId>${uploadId}</UploadId></Upload>`)
      return toXml('ListMultipartUploadsResult', entries.join(''))
    },
    listNames: (): string[] => [...uploads.values()].map(({ name }) => name),
  }
}
