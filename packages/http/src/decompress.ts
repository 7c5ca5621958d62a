import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError } from '@reeve/core'

const decompressBytes = promisify(gunzip)

/**
 * Whether a body is compressed with gzip, as Roblox sends it.
 * @param contentEncoding the header of that name
 * @throws AppError `unsupported_media_type` for any other encoding
 */
export function isGzip(contentEncoding: string | null): boolean {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw new AppError('unsupported_media_type', {
    message: 'Send the request body without compression, or with Content-Encoding: gzip.',
    headers: { 'accept-encoding': 'gzip' },
  })
}

/**
 * Decompresses a body. It stops as soon as the result is too large.
 * @param tooLarge the error of a body with more than `limit` bytes
 * @throws AppError `invalid_json` if it is not valid gzip; `tooLarge`
 */
export async function decompressGzip(
  bytes: Uint8Array,
  limit: number,
  tooLarge: () => AppError,
): Promise<Uint8Array> {
  try {
    return await decompressBytes(bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new AppError('invalid_json', { message: 'The request body is not valid gzip.' })
  }
}
