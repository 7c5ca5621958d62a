import type { Actor, Permission } from '@reeve/core'
import type { RawFields } from '@reeve/http'

/** A request as it came, before its fields are read: what decides which permission it needs. */
export interface RawRequest {
  readonly query: Readonly<Record<string, string>>
  readonly body: RawFields
}

/** A permission that depends on what is asked for. */
export interface PermissionChoice {
  /** Every permission that may be asked for. */
  readonly candidates: readonly Permission[]
  /**
   * The one this request needs; null where the request names nothing known, which its fields will show, or where the
   * caller (a session that names no workspace) can hold none yet and the service decides by what it finds.
   */
  readonly select: (
    request: RawRequest,
    caller: Pick<Actor, 'kind' | 'id' | 'workspaceId'>,
  ) => Permission | null
}

/** What a route asks of its caller: data, so that the documentation and the tests can read it. */
export interface Rule {
  /** `anyone` needs no credentials; `session` and `operator` refuse API keys. Keys and sessions by default. */
  readonly caller?: 'anyone' | 'session' | 'operator'
  /** Null where belonging to the workspace is enough, or the service decides by what it finds. */
  readonly permission: Permission | PermissionChoice | null
  /**
   * How the workspace is named: `required` by `workspaceId` in query or body; `id` by `id` in either, else a key's own;
   * `own` a key's own, none for a session; `none` by nothing.
   */
  readonly workspace?: 'required' | 'id' | 'own' | 'none'
  /** Whether a request to an unsafe method only reads. */
  readonly isReadOnly?: (request: RawRequest) => boolean
  /** Whether this goes on while the workspace is archived. Reads always do. */
  readonly allowWhenArchived?: boolean | ((request: RawRequest) => boolean)
  /** Whether this goes on when the month's quota is used up. Reads always do. */
  readonly allowOverQuota?: boolean
  /** Bytes; 64 KiB by default. */
  readonly bodyLimit?: number
  /** Whether a request with an `Idempotency-Key` is rejected: it or its response contains a secret, which is not stored. */
  readonly rejectsIdempotencyKey?: boolean
}

/** A route's `permission`: the name of one, or a rule that says more. */
export type RouteAccess = Permission | Rule

export const toRule = (access: RouteAccess): Rule =>
  typeof access === 'string' ? { permission: access } : access

/** Every permission that a rule may ask for. */
export function getRulePermissions(rule: Rule): readonly Permission[] {
  if (rule.permission === null) return []
  return typeof rule.permission === 'string' ? [rule.permission] : rule.permission.candidates
}
