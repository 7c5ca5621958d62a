import type { Actor, Endpoint, Permission, StorageUse, SwitchableEndpoint } from '@reeve/core'
import type { FieldValues, RequestReader } from '@reeve/http'

/**
 * The fields that a rule decides on, as the route's schemas read them. An invalid field is present with the value
 * `undefined`; the request is rejected for it after the rule has decided.
 */
export interface RequestFields {
  readonly query: FieldValues
  readonly body: FieldValues
}

type Decision<T> = (fields: RequestFields, caller: Pick<Actor, 'kind' | 'id' | 'workspaceId'>) => T

/** A permission that depends on the request. */
export interface PermissionChoice {
  /** Every permission that `select` may return. */
  readonly candidates: readonly Permission[]
  /**
   * The permission that this request requires; null where the field that decides is missing or invalid, and where a
   * session names no workspace, so that the service decides by the rows it finds.
   */
  readonly select: Decision<Permission | null>
}

/** The access rule of a route, as data: the gate enforces it, the OpenAPI document and the tests read it. */
export interface Rule {
  /** `anyone` needs no credentials; `session` and `operator` reject API keys. Default: API keys and sessions. */
  readonly caller?: 'anyone' | 'session' | 'operator'
  /** Null where membership is enough, or where the service decides by the rows it finds. */
  readonly permission: Permission | PermissionChoice | null
  /**
   * Where the workspace comes from: `required`: `workspaceId` in query or body (default); `id`: `id` in query or body,
   * else the API key's workspace; `own`: the API key's workspace, none for a session; `none`.
   */
  readonly workspace?: 'required' | 'id' | 'own' | 'none'
  /** Whether a request with an unsafe method only reads. */
  readonly isReadOnly?: Decision<boolean>
  /** Whether the route works while the workspace is archived. Reads always do. */
  readonly allowWhenArchived?: boolean | Decision<boolean>
  /**
   * Whether a session must have verified a factor within the last minutes (`VERIFICATION_LIFETIME_MS`), so that an unattended browser is not
   * enough. API keys are not affected.
   */
  readonly requiresVerification?: boolean | Decision<boolean>
  /**
   * Whether a session may use the route before it has a second factor that the instance requires: to add one, or to sign out. A workspace requires
   * none there either.
   */
  readonly allowWithoutInstanceFactor?: boolean
  /** Whether a member may use the route without the second factor that the workspace requires: to leave it. */
  readonly allowWithoutWorkspaceFactor?: Decision<boolean>
  /** The endpoint that its requests are counted for, and whose control applies. Default: the first part of its path. */
  readonly endpoint?: Endpoint
  /** The endpoint whose control applies to the writes of a portal route. Default: the route's own, which is always on. */
  readonly writesTo?: SwitchableEndpoint
  /**
   * How its writes are treated once the storage of the workspace is used up. Default: `essential`; `exempt` for routes of the portal
   * and for DELETE, with which people make room and stop the caller that fills it.
   */
  readonly storage?: StorageUse | Decision<StorageUse>
  /**
   * Whether a request is refused if another site has made the browser send it, as writes with a session always are: for downloads and
   * streams, which a link elsewhere must not start, and for pages without a session.
   */
  readonly rejectsCrossSite?: boolean
  /** On a route for `anyone`: whether the handler gets the caller, if they have valid credentials. */
  readonly recognizesCaller?: boolean
  /** How many requests it counts as for the rate limit. Default: 1. */
  readonly cost?: number
  /** Whether its body is that of an HTML form, not JSON: for pages that work without scripts. */
  readonly acceptsForm?: boolean
  /** The maximum body size in bytes. Default: 64 KiB. */
  readonly bodyLimit?: number
  /** Whether the handler receives the body itself, as a file. */
  readonly streamsBody?: boolean
  /** Whether a request with an `Idempotency-Key` is rejected: it or its response contains what is not stored, such as a secret. */
  readonly rejectsIdempotencyKey?: boolean
}

/** A route as the gate knows it. */
export interface GatedRoute {
  readonly rule: Rule
  readonly readFields: RequestReader
  /** Whether it honours `If-Match`; other requests reject it. */
  readonly acceptsIfMatch: boolean
}

/** A route's `permission` option: a permission, or a full rule. */
export type RouteAccess = Permission | Rule

export const toRule = (access: RouteAccess): Rule =>
  typeof access === 'string' ? { permission: access } : access

/** Every permission that a rule may require. */
export function getRulePermissions(rule: Rule): readonly Permission[] {
  if (rule.permission === null) return []
  return typeof rule.permission === 'string' ? [rule.permission] : rule.permission.candidates
}
