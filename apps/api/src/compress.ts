import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsEncoding } from './asset.ts'

/** Below this, compression saves less than a packet. */
const MIN_BYTES = 1000

/** Data and the page: neither repeats what the URL contains. */
const COMPRESSIBLE = /^(?:application\/json|text\/html)/

const compressBytes = promisify(gzip)

/** Decided by the request alone for ban checks: to read the headers of a response takes longer. */
function isCompressible(request: Request, response: Response): boolean {
  if (request.method !== 'GET' || !request.headers.has('cookie') || response.status !== 200) return false
  const { headers } = response
  return (
    COMPRESSIBLE.test(headers.get('content-type') ?? '') &&
    !headers.has('set-cookie') &&
    acceptsEncoding(request.headers.get('accept-encoding'), 'gzip')
  )
}

/**
 * Compresses the response to a read of the portal if it is large. Responses to writes, which contain secrets, and to API keys,
 * which are small and must be fast, are left alone; so are streams and files.
 */
export const compressResponse = (request: Request, response: Response): Response | Promise<Response> =>
  isCompressible(request, response) ? compress(response) : response

async function compress(response: Response): Promise<Response> {
  const { headers, status, statusText } = response
  const bytes = await response.bytes()
  headers.append('vary', 'Accept-Encoding')
  if (bytes.length < MIN_BYTES) return new Response(bytes, { status, statusText, headers })
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  return new Response(await compressBytes(bytes), { status, statusText, headers })
}
