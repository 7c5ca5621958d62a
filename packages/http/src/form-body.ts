import { AppError, invalidRequest } from '@reeve/core'
import { EMPTY_BODY, type JsonBody, MAX_MEMBERS } from './body.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses the body of an HTML form.
 * @throws AppError `unsupported_media_type`; `invalid_request` for text that is not UTF-8, for too many fields, and for one sent twice
 */
export function parseFormBody(bytes: Uint8Array, contentType: string | null): JsonBody {
  if (bytes.length === 0) return EMPTY_BODY
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '')) {
    throw new AppError('unsupported_media_type', {
      message: 'Send the request body with Content-Type: application/x-www-form-urlencoded.',
    })
  }
  const fields: Record<string, string> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(decode(bytes))) {
    if (name in fields) throw invalidRequest({ field: name.slice(0, 128), message: 'must be sent once' })
    if (++count > MAX_MEMBERS)
      throw invalidRequest({ field: 'body', message: `must have at most ${MAX_MEMBERS} fields` })
    fields[name] = value
  }
  return { fields, size: bytes.length }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidRequest({ field: 'body', message: 'must be UTF-8' })
  }
}
