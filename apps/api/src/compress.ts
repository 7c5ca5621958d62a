import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsEncoding } from './asset.ts'

/** Below this, compression saves less than a packet. */
const MIN_BYTES = 1000

/** Data and the page: neither repeats what the URL contains. */
const COMPRESSIBLE = /^(?:application\/json|text\/html)/

const compressBytes = promisify(gzip)

/**
 * Compresses the response to a read of the portal if it is large. Responses to writes, which contain secrets, and to API keys,
 * which are small and must be fast, are left alone; so are streams and files.
 */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  const { headers, status, statusText } = response
  if (
    request.method !== 'GET' ||
    status !== 200 ||
    !request.headers.has('cookie') ||
    !COMPRESSIBLE.test(headers.get('content-type') ?? '') ||
    headers.has('set-cookie') ||
    !acceptsEncoding(request.headers.get('accept-encoding'), 'gzip')
  )
    return response
  const bytes = await response.bytes()
  headers.append('vary', 'Accept-Encoding')
  if (bytes.length < MIN_BYTES) return new Response(bytes, { status, statusText, headers })
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  return new Response(await compressBytes(bytes), { status, statusText, headers })
}
