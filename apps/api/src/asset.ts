import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BuiltFile } from '@reeve/portal/files'
import { nothingHere } from './errors.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** Fast enough to wait for once, and within a few percent of the best. */
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

const FOR_EVER = 'public, max-age=31536000, immutable'

/** A file that comes with the program, under a name made of its content, so that it may be kept for ever. */
export interface Asset {
  readonly name: string
  readonly contentType: string
  /** Its bytes in an encoding: made once. */
  readonly encoded: (encoding: Encoding) => Promise<Uint8Array>
}

/** A file imported with `type: 'file'`: read when it is first asked for, and then kept. */
export function embedded(path: string, kind: keyof typeof contentTypes): () => Promise<Asset> {
  let loaded: Promise<Asset> | null = null
  return () => {
    loaded ??= load(path, kind)
    return loaded
  }
}

async function load(path: string, kind: keyof typeof contentTypes): Promise<Asset> {
  const bytes = await Bun.file(path).bytes()
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 16)
  const made = new Map<Encoding, Promise<Uint8Array>>()
  return {
    name: `${hash}.${kind}`,
    contentType: contentTypes[kind],
    encoded(encoding) {
      const known = made.get(encoding) ?? compress[encoding](bytes)
      made.set(encoding, known)
      return known
    },
  }
}

/** A file that was named and compressed when it was built: read when it is first asked for, and then kept. */
export function prepared(file: BuiltFile): Asset {
  const read = new Map<Encoding, Promise<Uint8Array>>()
  return {
    name: file.name,
    contentType: contentTypes[file.name.endsWith('.css') ? 'css' : 'js'],
    encoded(encoding) {
      const known = read.get(encoding) ?? Bun.file(file[encoding]).bytes()
      read.set(encoding, known)
      return known
    },
  }
}

/** What answering takes of the framework's context. */
interface AssetCall {
  readonly params: { readonly file: string }
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
}

/**
 * Answers with the one of these assets that the address names.
 * @throws AppError `not_found`
 */
export async function answerAsset(
  assets: readonly Asset[],
  { params, request, set }: AssetCall,
): Promise<Uint8Array> {
  const asset = assets.find(({ name }) => name === params.file)
  if (!asset) throw nothingHere()
  const encoding = encodingFor(request.headers.get('accept-encoding'))
  set.headers['content-type'] = asset.contentType
  set.headers['x-content-type-options'] = 'nosniff'
  set.headers['cache-control'] = FOR_EVER
  set.headers.vary = 'Accept-Encoding'
  if (encoding !== 'identity') set.headers['content-encoding'] = encoding
  return asset.encoded(encoding)
}

/** The headers of a page. @param policy its Content-Security-Policy */
export function asPage(set: AssetCall['set'], policy: readonly string[], caching: string): void {
  set.headers['content-type'] = 'text/html; charset=utf-8'
  set.headers['content-security-policy'] = policy.join('; ')
  set.headers['referrer-policy'] = 'no-referrer'
  set.headers['x-content-type-options'] = 'nosniff'
  set.headers['cache-control'] = caching
}

/** The best encoding that an `Accept-Encoding` allows. */
function encodingFor(accepted: string | null): Encoding {
  const names = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';')[0])
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
}
