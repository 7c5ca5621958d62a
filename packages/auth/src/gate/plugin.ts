import { type Actor, anonymousActor, type Permission } from '@reeve/core'
import { emptyRequestContext, type RequestContext } from '@reeve/http'
import { Elysia } from 'elysia'
import { cookiePlugin } from '../sessions/cookie.ts'
import { authorizeRequest, type GateContext, type GateDependencies } from './authorize.ts'
import { getRulePermissions, type RouteAccess, type Rule, toRule } from './rule.ts'

/** Where a route's `detail` says what it asks of its caller, for the documentation and the tests. */
export const RULE_EXTENSION = 'x-reeve-rule'

export interface DocumentedRule {
  readonly caller: NonNullable<Rule['caller']> | 'any'
  readonly permissions: readonly Permission[]
  readonly workspace: NonNullable<Rule['workspace']>
  /** Public routes ignore an `Idempotency-Key`; some others reject it. */
  readonly acceptsIdempotencyKey: boolean
}

const describeRule = (rule: Rule): DocumentedRule => ({
  caller: rule.caller ?? 'any',
  permissions: getRulePermissions(rule),
  workspace: rule.workspace ?? 'required',
  acceptsIdempotencyKey: rule.caller !== 'anyone' && !rule.rejectsIdempotencyKey,
})

/**
 * The plugin that every resource uses. A route names its `permission`; its handler finds `actor` and `call`, admitted.
 * The gate stands before the check of the fields, so that a stranger learns nothing from a bad body.
 */
export const gate = (deps: GateDependencies) =>
  new Elysia({ name: 'gate' })
    .use(cookiePlugin())
    .decorate('actor', anonymousActor as Actor)
    .decorate('requestContext', emptyRequestContext as RequestContext)
    .macro({
      permission: (access: RouteAccess) => {
        const rule = toRule(access)
        return {
          // The gate reads the body itself, where its size and type are checked; this keeps the framework from it.
          parse: () => ({}),
          detail: { [RULE_EXTENSION]: describeRule(rule) } as object,
          transform: (context: unknown) => authorizeRequest(deps, rule, context as GateContext),
        }
      },
    })

export type Gate = ReturnType<typeof gate>
