import { type ErrorCode, errorCodes, permissions, reasonMessages } from '@reeve/core'
import { Type } from '@sinclair/typebox'

/** The body of every error answer. */
export const ErrorResponse = Type.Object(
  {
    error: Type.String({ description: 'A sentence for a person' }),
    code: Type.String({
      enum: Object.keys(errorCodes),
      description: 'What went wrong: stable, for programs',
    }),
    requestId: Type.String({ description: 'The X-Request-Id of the answer; quote it when asking for help' }),
    reason: Type.Optional(
      Type.String({ enum: Object.keys(reasonMessages), description: 'Which authorisation check failed' }),
    ),
    permission: Type.Optional(
      Type.String({ enum: [...permissions], description: 'The permission that is missing' }),
    ),
    details: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Every field that was refused, and what would be accepted',
      }),
    ),
  },
  { additionalProperties: false, description: 'An error' },
)

/** What any endpoint behind the gate can answer. */
const COMMON_CODES: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
  'unavailable',
]

/** What any endpoint that takes a body can answer besides. */
const WRITE_CODES: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'conflict',
  'idempotency_mismatch',
  'version_mismatch',
]

/** The responses of a route that can fail with these codes, besides those that every route can: one entry a status. */
export function errorResponses(...codes: ErrorCode[]): Record<number, typeof ErrorResponse> {
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

/** `fails` for a route that takes a body and may carry `Idempotency-Key` and `If-Match`. */
export const writeErrorResponses = (...codes: ErrorCode[]) => errorResponses(...WRITE_CODES, ...codes)
