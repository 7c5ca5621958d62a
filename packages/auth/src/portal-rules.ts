import { invalidRequest } from '@reeve/core'
import type { RequestContext } from '@reeve/http'
import type { Rule } from './rule.ts'

/** Routes that come before there is anyone. */
export const anyone: Rule = { who: 'anyone', permission: null, workspace: 'none' }

/** Routes of whoever is signed in, about themselves. */
export const signedIn: Rule = { who: 'session', permission: null, workspace: 'none' }

/** Routes of those who run the instance. */
export const operators: Rule = { who: 'operator', permission: null, workspace: 'none' }

/**
 * A call whose request or answer holds a secret: neither is kept, so it cannot be answered again.
 * @throws AppError `invalid_request` naming `Idempotency-Key`
 */
export function withoutReplay(call: RequestContext): RequestContext {
  if (call.idempotencyKey === null) return call
  throw invalidRequest({
    field: 'Idempotency-Key',
    message: 'is not accepted here: a second answer would need a secret to be stored',
  })
}

export const userAgentOf = (request: Request): string => request.headers.get('user-agent') ?? ''
