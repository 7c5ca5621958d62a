import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sha256Hex } from '@reeve/core/sha256'
import type { BuiltFile } from '@reeve/portal/files'
import { createCachedLoad } from './cached-load.ts'
import { notFoundError } from './errors.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** Fast enough to compress during a request, and within a few percent of the best ratio. */
const BROTLI_QUALITY = 5

const compress = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
  identity: async (bytes: Uint8Array) => bytes,
} satisfies Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>

const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** A file of the program. Its name contains a hash of its content, so clients can cache it forever. */
export interface Asset {
  readonly name: string
  readonly contentType: string
  /** The bytes in an encoding, cached. */
  readonly encode: (encoding: Encoding) => Promise<Uint8Array>
}

/** Loads a file that was imported with `type: 'file'` on first use and caches it. */
export function createEmbeddedAsset(path: string, kind: keyof typeof contentTypes): () => Promise<Asset> {
  return createCachedLoad(() => load(path, kind))
}

const encodings = ['br', 'gzip', 'identity'] as const satisfies readonly Encoding[]

/** Encodes a file on the first use of each encoding, and caches the bytes. */
function createCachedEncode(
  encode: (encoding: Encoding) => Promise<Uint8Array>,
): (encoding: Encoding) => Promise<Uint8Array> {
  const cached = new Map(encodings.map((encoding) => [encoding, createCachedLoad(() => encode(encoding))]))
  return (encoding) => (cached.get(encoding) ?? (() => encode(encoding)))()
}

async function load(path: string, kind: keyof typeof contentTypes): Promise<Asset> {
  const bytes = await Bun.file(path).bytes()
  const hash = sha256Hex(bytes).slice(0, 16)
  return {
    name: `${hash}.${kind}`,
    contentType: contentTypes[kind],
    encode: createCachedEncode((encoding) => compress[encoding](bytes)),
  }
}

/** Loads a file that the build named and compressed, on first use, and caches it. */
export function toAsset(file: BuiltFile): Asset {
  return {
    name: file.name,
    contentType: contentTypes[file.name.endsWith('.css') ? 'css' : 'js'],
    encode: createCachedEncode((encoding) => Bun.file(file[encoding]).bytes()),
  }
}

/** The part of Elysia's context that serving an asset uses. */
interface AssetContext {
  readonly params: { readonly file: string }
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
}

/**
 * Serves the asset that the URL names.
 * @throws AppError `not_found`
 */
export async function serveAsset(
  assets: readonly Asset[],
  { params, request, set }: AssetContext,
): Promise<Uint8Array> {
  const asset = assets.find(({ name }) => name === params.file)
  if (!asset) throw notFoundError()
  const encoding = chooseEncoding(request.headers.get('accept-encoding'))
  set.headers['content-type'] = asset.contentType
  set.headers['cache-control'] = IMMUTABLE
  set.headers.vary = 'Accept-Encoding'
  if (encoding !== 'identity') set.headers['content-encoding'] = encoding
  return asset.encode(encoding)
}

/** Sets the headers of an HTML page. @param policy its Content-Security-Policy */
export function setPageHeaders(
  set: AssetContext['set'],
  policy: readonly string[],
  cacheControl: string,
): void {
  set.headers['content-type'] = 'text/html; charset=utf-8'
  set.headers['content-security-policy'] = policy.join('; ')
  set.headers['referrer-policy'] = 'no-referrer'
  set.headers['cache-control'] = cacheControl
}

/** Chooses the best encoding that `Accept-Encoding` allows. */
function chooseEncoding(acceptEncoding: string | null): Encoding {
  return (['br', 'gzip'] as const).find((encoding) => acceptsEncoding(acceptEncoding, encoding)) ?? 'identity'
}

/** Whether `Accept-Encoding` allows an encoding. */
export const acceptsEncoding = (acceptEncoding: string | null, encoding: Encoding): boolean =>
  (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .some((part) => part.split(';')[0] === encoding)
