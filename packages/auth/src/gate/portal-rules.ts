import { invalidRequest } from '@reeve/core'
import type { RequestContext } from '@reeve/http'
import type { Rule } from './rule.ts'

/** For routes without authentication. */
export const publicRoute: Rule = { caller: 'anyone', permission: null, workspace: 'none' }

/** For routes about the signed-in account itself. */
export const sessionRoute: Rule = { caller: 'session', permission: null, workspace: 'none' }

/** For routes of operators. */
export const operatorRoute: Rule = { caller: 'operator', permission: null, workspace: 'none' }

/**
 * For requests whose body or response contains a secret: the response is not stored, so it cannot be replayed.
 * @returns the same context
 * @throws AppError `invalid_request` naming `Idempotency-Key`
 */
export function rejectIdempotencyKey(context: RequestContext): RequestContext {
  if (context.idempotencyKey === null) return context
  throw invalidRequest({
    field: 'Idempotency-Key',
    message: 'is not supported here, because replaying the response would require storing a secret',
  })
}
