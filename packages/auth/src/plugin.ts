import { type Actor, anonymousActor, type Permission } from '@reeve/core'
import { emptyRequestContext, type RequestContext } from '@reeve/http'
import { Elysia } from 'elysia'
import { cookies } from './cookie.ts'
import { admit, type GateContext, type GateParts } from './gate.ts'
import { type Admission, permissionsOf, type Rule, ruleOf } from './rule.ts'

/** Where a route's `detail` says what it asks of its caller, for the documentation and the tests. */
export const SHOWN_RULE = 'x-reeve-rule'

export interface ShownRule {
  readonly who: NonNullable<Rule['who']> | 'any'
  readonly permissions: readonly Permission[]
  readonly workspace: NonNullable<Rule['workspace']>
}

const shownRule = (rule: Rule): ShownRule => ({
  who: rule.who ?? 'any',
  permissions: permissionsOf(rule),
  workspace: rule.workspace ?? 'required',
})

/**
 * The plugin that every resource uses. A route names its `permission`; its handler finds `actor` and `call`, admitted.
 * The gate stands before the check of the fields, so that a stranger learns nothing from a bad body.
 */
export const gate = (parts: GateParts) =>
  new Elysia({ name: 'gate' })
    .use(cookies())
    .decorate('actor', anonymousActor as Actor)
    .decorate('call', emptyRequestContext as RequestContext)
    .macro({
      permission: (admission: Admission) => {
        const rule = ruleOf(admission)
        return {
          // The gate reads the body itself, where its size and type are checked; this keeps the framework from it.
          parse: () => ({}),
          detail: { [SHOWN_RULE]: shownRule(rule) } as object,
          transform: (context: unknown) => admit(parts, rule, context as GateContext),
        }
      },
    })

export type Gate = ReturnType<typeof gate>
