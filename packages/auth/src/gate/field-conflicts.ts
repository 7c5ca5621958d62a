import { invalidRequest } from '@reeve/core'
import { type RawFields, readContentLength } from '@reeve/http'
import { SAFE_METHODS } from './request-context.ts'

/** A request before its fields are read: parameters and body members as sent. */
export interface RawRequest {
  readonly query: Readonly<Record<string, string>>
  readonly body: RawFields
}

/**
 * Refuses repeated query parameters, fields that differ between query and body, and a body on a method that takes none,
 * so that no value is dropped silently.
 * @throws AppError `invalid_request` naming the field
 */
export function assertNoFieldConflicts(request: Request, { query, body }: RawRequest): void {
  if (request.method === 'DELETE') assertNoBodyFields(body)
  const start = request.url.indexOf('?')
  if (start < 0 || hasUniqueParameters(request.url, start, query, body)) return
  const reject = (name: string, message: string) => {
    throw invalidRequest({ field: name.slice(0, 128), message })
  }
  const seen = new Set<string>()
  for (const [name] of new URLSearchParams(request.url.slice(start))) {
    if (seen.has(name)) reject(name, 'is given more than once')
    if (Object.hasOwn(body, name) && body[name] !== query[name])
      reject(name, 'differs between query and body')
    seen.add(name)
  }
}

/** @throws AppError `invalid_request` naming each field */
function assertNoBodyFields(body: RawFields): void {
  const names = Object.keys(body).slice(0, 20)
  const message = 'belongs in the query: this method takes no body'
  if (names.length > 0) throw invalidRequest(...names.map((name) => ({ field: name.slice(0, 128), message })))
}

/** Whether no parameter is repeated and none is also in the body; avoids parsing the query a second time. */
function hasUniqueParameters(
  url: string,
  start: number,
  query: RawRequest['query'],
  body: RawRequest['body'],
): boolean {
  let parameters = 1
  for (let at = url.indexOf('&', start); at >= 0; at = url.indexOf('&', at + 1)) parameters += 1
  let names = 0
  for (const name in query) {
    names += 1
    if (Object.hasOwn(body, name)) return false
  }
  return parameters === names
}

/**
 * Refuses the body of a GET or HEAD. The engine drops it, so its fields are unknown: only the headers say that there is one.
 * @throws AppError `invalid_request` naming `body`
 */
export function assertNoDroppedBody(request: Request): void {
  const { method, headers } = request
  if (!SAFE_METHODS.has(method)) return
  // Proxies that receive HTTP/3 announce a body of unknown length, also for requests without one, but no type.
  const isAnnounced = headers.has('transfer-encoding') && headers.has('content-type')
  if (!isAnnounced && !readContentLength(request)) return
  throw invalidRequest({
    field: 'body',
    message: 'is not read with GET and HEAD: send its fields as query parameters',
  })
}
