import { type Actor, anonymousActor, errorCodes, type Permission, type SwitchableEndpoint } from '@reeve/core'
import { emptyRequestContext, type RequestContext, requestReader } from '@reeve/http'
import { Elysia } from 'elysia'
import { authorizeRequest, type GateDependencies, type GateRequest } from './authorize.ts'
import { type GatedRoute, getRulePermissions, type RouteAccess, type Rule, toRule } from './rule.ts'

/** The key in a route's `detail` that holds its rule, for the OpenAPI document and the tests. */
export const RULE_EXTENSION = 'x-reeve-rule'

export interface DocumentedRule {
  readonly caller: NonNullable<Rule['caller']> | 'any'
  readonly permissions: readonly Permission[]
  /** Whether the request decides which of `permissions` it requires, if any. Otherwise it requires the only one. */
  readonly dependsOnRequest: boolean
  readonly workspace: NonNullable<Rule['workspace']>
  /** Whether a session needs a factor that was verified minutes ago; `depends` if the request decides. */
  readonly requiresVerification: boolean | 'depends'
  /** Whether requests with an unsafe method work while the workspace is archived; `depends` if the request decides. */
  readonly worksWhenArchived: boolean | 'depends'
  /** The endpoint whose control applies to the writes of a portal route; null if none does. */
  readonly writesTo: SwitchableEndpoint | null
  /** Whether requests from other sites are refused, besides writes with a session, which always are. */
  readonly rejectsCrossSite: boolean
  /** Public routes ignore an `Idempotency-Key`; some others reject it. */
  readonly acceptsIdempotencyKey: boolean
}

const describeDecision = (decision: Rule['allowWhenArchived']): boolean | 'depends' =>
  typeof decision === 'function' ? 'depends' : (decision ?? false)

const describeRule = (rule: Rule): DocumentedRule => ({
  caller: rule.caller ?? 'any',
  permissions: getRulePermissions(rule),
  dependsOnRequest: rule.permission !== null && typeof rule.permission !== 'string',
  workspace: rule.workspace ?? 'required',
  writesTo: rule.writesTo ?? null,
  requiresVerification: describeDecision(rule.requiresVerification),
  worksWhenArchived: rule.isReadOnly ? 'depends' : describeDecision(rule.allowWhenArchived),
  rejectsCrossSite: rule.rejectsCrossSite ?? false,
  acceptsIdempotencyKey: rule.caller !== 'anyone' && !rule.rejectsIdempotencyKey,
})

/**
 * The plugin that every resource uses. A route names its `permission`; its handler receives the authorized `actor`, the
 * `requestContext` and the parsed fields. Field problems are reported after authorization, so that an unauthorized
 * caller learns nothing from them.
 */
export const gate = (deps: GateDependencies) =>
  new Elysia({ name: 'gate' })
    .decorate('actor', anonymousActor as Actor)
    .decorate('requestContext', emptyRequestContext as RequestContext)
    .macro({
      permission: (access: RouteAccess) => {
        const rule = toRule(access)
        let gated: GatedRoute
        // Names what it needs: the framework parses every part of a request for a function that it passes the whole context to.
        const authorize = async ({ request, set, route, query }: GateRequest) =>
          authorizeRequest(deps, gated, { request, set, route, query })
        return {
          introspect: (route: Parameters<typeof requestReader>[0] & { readonly response?: object }) => {
            const acceptsIfMatch = errorCodes.version_mismatch.status in (route.response ?? {})
            gated = { rule, readFields: requestReader(route), acceptsIfMatch }
          },
          // The gate reads the body, to check its size and media type; this keeps the framework from reading it.
          parse: () => ({}),
          detail: { [RULE_EXTENSION]: describeRule(rule) } as object,
          // The framework adds what it returns to the context of the handler, as that of `derive`; its types do not say so.
          transform: authorize as unknown as () => Promise<void>,
        }
      },
    })

export type Gate = ReturnType<typeof gate>
