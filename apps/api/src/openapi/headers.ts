import { toRef } from './schema.ts'

const text = { type: 'string' } as const

/** Request headers, as parameters of an operation. They have no examples, because API clients would send them by default. */
export const requestHeaders = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes retries safe: within 24 hours, repeating the same request with the same key returns the first response ' +
      'with `Idempotent-Replayed: true` and has no further effect. Of a caller with more than 10,000 stored responses or 32 MB of them, the oldest are deleted ' +
      'earlier, but none within an hour. Example: `ban-261-2026-03-01`.',
    schema: { ...text, minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The expected `version` of the record in double quotes, such as `"1"`. Any other version returns 412.',
    schema: text,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of an earlier response to the same request. If nothing has changed since, the response is 304 without a body.',
    schema: text,
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your own ID for this request, 1 to 64 characters of `A-Za-z0-9-_`. It is returned in the response.',
    schema: text,
  },
}

/** Response headers. */
export const responseHeaders = {
  'X-Request-Id': { description: 'The ID of this request: yours, or a generated one.', schema: text },
  ETag: {
    description: 'A tag of this response, for `If-None-Match`. A list that has more pages has none.',
    schema: { ...text, example: 'W/"1729--k3v9x0q2m1ab"' },
  },
  RateLimit: {
    description:
      'The number of requests left now (`r`), and the seconds until the full quota is available again (`t`).',
    schema: { ...text, example: '"key";r=99;t=1' },
  },
  'RateLimit-Policy': {
    description: 'The number of requests (`q`) allowed per window in seconds (`w`).',
    schema: { ...text, example: '"key";q=600;w=60' },
  },
  'Retry-After': { description: 'The number of seconds to wait.', schema: { ...text, example: '1' } },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    schema: { ...text, example: 'Bearer' },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored first response for the same `Idempotency-Key`.',
    schema: { ...text, example: 'true' },
  },
}

/** The status of a read that has an `ETag`, if nothing has changed. */
export const NOT_MODIFIED = 304
const METERED_STATUSES = [200, 304, 400, 403, 404, 409, 410, 412, 422, 429]
const RETRY_AFTER_STATUSES = [429, 503]

/** The response headers of an operation, by status. */
export function toHeaderRefs(
  status: number,
  operation: { readonly isIdempotent: boolean; readonly hasEtag: boolean },
) {
  const names = ['X-Request-Id' as keyof typeof responseHeaders]
  if (METERED_STATUSES.includes(status)) names.push('RateLimit', 'RateLimit-Policy')
  if (status === 401) names.push('WWW-Authenticate')
  if (RETRY_AFTER_STATUSES.includes(status)) names.push('Retry-After')
  if ((status === 200 || status === NOT_MODIFIED) && operation.hasEtag) names.push('ETag')
  if (status === 200 && operation.isIdempotent) names.push('Idempotent-Replayed')
  return Object.fromEntries(names.map((name) => [name, toRef('headers', name)]))
}
