import { type ErrorCode, errorCodes, permissions, reasonMessages } from '@reeve/core'
import { Type } from '@sinclair/typebox'

/** The body of every error response. */
export const ErrorResponse = Type.Object(
  {
    error: Type.String({
      description: 'A message for people; for invalid fields, it names the first problem',
    }),
    code: Type.String({
      enum: Object.keys(errorCodes),
      description: 'A stable code for programs',
    }),
    requestId: Type.String({
      description:
        'The X-Request-Id of the response; of a replayed error, that of the first request. Include it when you ask for help',
    }),
    reason: Type.Optional(
      Type.String({ enum: Object.keys(reasonMessages), description: 'Which authorization check failed' }),
    ),
    permission: Type.Optional(Type.String({ enum: [...permissions], description: 'The missing permission' })),
    details: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Every invalid field, and what is accepted',
      }),
    ),
    limit: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'The limit, as roles have it', example: 'bansPerHour' }),
          value: Type.String({ description: 'Its value', example: '20' }),
          resetsAt: Type.Optional(
            Type.String({
              description: 'When the action is possible again; absent if only another person can do it',
            }),
          ),
        },
        {
          description:
            'The limit that the action exceeds, with the reasons `over_limit` and `needs_approval`',
        },
      ),
    ),
  },
  { additionalProperties: false, description: 'An error' },
)

/** Errors that every endpoint can return. */
const COMMON_CODES: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
  'unavailable',
]

/** Errors that every write can return as well. */
const WRITE_CODES: readonly ErrorCode[] = [
  'invalid_json',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'conflict',
  'storage_quota_exceeded',
  'idempotency_mismatch',
]

type ErrorResponses = Readonly<Record<number, typeof ErrorResponse>>

/** Many routes return the same errors, so the responses of each list of codes are created once. */
const created = new Map<string, ErrorResponses>()

/** The error responses of a route: these codes and those of every endpoint, one entry per status. */
export function errorResponses(...codes: ErrorCode[]): ErrorResponses {
  const key = codes.join()
  const earlier = created.get(key)
  if (earlier) return earlier
  const responses = createErrorResponses(codes)
  created.set(key, responses)
  return responses
}

function createErrorResponses(codes: readonly ErrorCode[]): ErrorResponses {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...COMMON_CODES, ...codes])) {
    const { status } = errorCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses = [...byStatus].map(([status, grouped]) => {
    const description = grouped.map((code) => `\`${code}\`: ${errorCodes[code].defaultMessage}`).join('\n\n')
    return [
      status,
      Type.Object(ErrorResponse.properties, { additionalProperties: false, description }),
    ] as const
  })
  return Object.fromEntries(responses)
}

/**
 * `errorResponses` of a write, which has a body and `Idempotency-Key`. With `version_mismatch`, it has `If-Match` too, which the gate rejects
 * otherwise.
 */
export const writeErrorResponses = (...codes: ErrorCode[]) => errorResponses(...WRITE_CODES, ...codes)

/** The response of a read whose caller already has what would be returned. It has no body. */
export const notModifiedResponse = Type.Void({
  description: 'Nothing has changed since the response with the `ETag` in `If-None-Match`.',
})
