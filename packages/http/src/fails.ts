import { type ErrorCode, errorTable, permissions, reasonSentences } from '@reeve/core'
import { Type } from '@sinclair/typebox'

/** The body of every error answer. */
export const ErrorAnswer = Type.Object(
  {
    error: Type.String({ description: 'A sentence for a person' }),
    code: Type.String({
      enum: Object.keys(errorTable),
      description: 'What went wrong: stable, for programs',
    }),
    requestId: Type.String({ description: 'The X-Request-Id of the answer; quote it when asking for help' }),
    reason: Type.Optional(
      Type.String({ enum: Object.keys(reasonSentences), description: 'Which authorisation check failed' }),
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
const ALWAYS: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'quota_exceeded',
  'internal_error',
  'unavailable',
]

/** What any endpoint that takes a body can answer besides. */
const WITH_BODY: readonly ErrorCode[] = [
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
  'conflict',
  'idempotency_mismatch',
  'version_mismatch',
]

/** The responses of a route that can fail with these codes, besides those that every route can: one entry a status. */
export function fails(...codes: ErrorCode[]): Record<number, typeof ErrorAnswer> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...ALWAYS, ...codes])) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const described = [...byStatus].map(([status, of]) => {
    const description = of.map((code) => `\`${code}\`: ${errorTable[code].sentence}`).join('\n\n')
    return [
      status,
      Type.Object(ErrorAnswer.properties, { additionalProperties: false, description }),
    ] as const
  })
  return Object.fromEntries(described)
}

/** `fails` for a route that takes a body and may carry `Idempotency-Key` and `If-Match`. */
export const writeFails = (...codes: ErrorCode[]) => fails(...WITH_BODY, ...codes)
