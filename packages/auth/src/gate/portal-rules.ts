import { invalidRequest } from '@reeve/core'
import type { RequestContext } from '@reeve/http'
import type { Rule } from './rule.ts'

/** Routes that come before there is anyone. */
export const publicRoute: Rule = { caller: 'anyone', permission: null, workspace: 'none' }

/** Routes of whoever is signed in, about themselves. */
export const sessionRoute: Rule = { caller: 'session', permission: null, workspace: 'none' }

/** Routes of those who run the instance. */
export const operatorRoute: Rule = { caller: 'operator', permission: null, workspace: 'none' }

/**
 * A call whose request or answer holds a secret: neither is kept, so it cannot be answered again.
 * @throws AppError `invalid_request` naming `Idempotency-Key`
 */
export function rejectIdempotencyKey(context: RequestContext): RequestContext {
  if (context.idempotencyKey === null) return context
  throw invalidRequest({
    field: 'Idempotency-Key',
    message: 'is not accepted here: a second answer would need a secret to be stored',
  })
}
