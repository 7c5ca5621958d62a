import { toRef } from './schema.ts'

const text = { type: 'string' } as const

/** Headers that a call may carry, as parameters of an operation; without examples, which pages that make requests would send. */
export const requestHeaders = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repeat safe: within 24 hours the same key on the same request returns the first answer, with ' +
      '`Idempotent-Replayed: true`, and does nothing again. Such as `ban-261-2026-03-01`.',
    schema: { ...text, minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The `version` that the record must have, in double quotes, such as `"1"`; another one is a 412.',
    schema: text,
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'An id of your own for this call, 1 to 64 characters of `A-Za-z0-9-_`; the answer carries it.',
    schema: text,
  },
}

/** Headers that an answer may carry. */
export const responseHeaders = {
  'X-Request-Id': { description: 'The id of this call: your own, or one made for it.', schema: text },
  RateLimit: {
    description: 'How many calls are left now (`r`) and in how many seconds all are back (`t`).',
    schema: { ...text, example: '"key";r=99;t=1' },
  },
  'RateLimit-Policy': {
    description: 'How many calls (`q`) a window of so many seconds (`w`) allows.',
    schema: { ...text, example: '"key";q=600;w=60' },
  },
  'Retry-After': { description: 'How many seconds to wait.', schema: { ...text, example: '1' } },
  'WWW-Authenticate': {
    description: 'The scheme to authenticate with.',
    schema: { ...text, example: 'Bearer' },
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the first answer to the same `Idempotency-Key`, given again.',
    schema: { ...text, example: 'true' },
  },
}

const METERED_STATUSES = [200, 400, 403, 404, 409, 412, 422, 429]
const RETRY_AFTER_STATUSES = [429, 503]

/** The headers of an operation's answer of a status. */
export function toHeaderRefs(status: number, operation: { readonly isIdempotent: boolean }) {
  const names = ['X-Request-Id' as keyof typeof responseHeaders]
  if (METERED_STATUSES.includes(status)) names.push('RateLimit', 'RateLimit-Policy')
  if (status === 401) names.push('WWW-Authenticate')
  if (RETRY_AFTER_STATUSES.includes(status)) names.push('Retry-After')
  if (status === 200 && operation.isIdempotent) names.push('Idempotent-Replayed')
  return Object.fromEntries(names.map((name) => [name, toRef('headers', name)]))
}
