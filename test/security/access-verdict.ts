import type { DocumentedRule } from '@reeve/auth'
import type { Permission } from '@reeve/core'
import type { RequestOptions } from '../support/instance.ts'
import type { PermissionChoice } from './permission-choices.ts'
import { isSafe, type Route } from './routes.ts'

/** Someone who sends requests, and what is known about them. */
export interface AccessCaller {
  readonly name: string
  readonly as: RequestOptions
  /** The workspace that the requests of this caller name. */
  readonly workspaceId: string
  readonly identity: Identity
}

export type Identity =
  /** Nobody: `outcome` is the documented error of these credentials. */
  | { readonly kind: 'nobody'; readonly outcome: string }
  | { readonly kind: 'key'; readonly workspaceId: string; readonly permissions: ReadonlySet<Permission> }
  | {
      readonly kind: 'session'
      /** Null if the account is not a member of the workspace that its requests name. */
      readonly permissions: ReadonlySet<Permission> | null
      readonly isOperator: boolean
      readonly isCrossSite: boolean
      /** Whether its factor was verified too long ago for sensitive requests. */
      readonly isStale: boolean
    }

/** A request of a route that would succeed or fail for its fields, once it is authorized. */
export interface AccessProbe {
  readonly route: Route
  readonly rule: DocumentedRule
  /** The documented permission, if the rule says that the request decides. */
  readonly choice: PermissionChoice | null
  readonly isArchived: boolean
  /** Whether the request names the workspace. */
  readonly namesWorkspace: boolean
}

export const ACCEPTED = 'accepted'
const DEPENDS_ON_VERIFICATION =
  'a choice with requiresVerification in permission-choices.ts: the rule says that the request decides'

/** What the documented rule of the route says about a caller: `accepted`, or the status, code and reason. */
export function deriveVerdict(probe: AccessProbe, { identity, workspaceId }: AccessCaller): string {
  const { rule, namesWorkspace } = probe
  const isCrossSite = identity.kind === 'session' && identity.isCrossSite
  if (rule.caller === 'anyone')
    return isCrossSite && rule.rejectsCrossSite ? '403 forbidden cross_site_request' : ACCEPTED
  if (rule.workspace === 'required' && !namesWorkspace) return '400 missing_workspace_id'
  if (identity.kind === 'nobody') return identity.outcome
  if (identity.kind === 'key' && rule.caller !== 'any') return '403 forbidden session_required'
  if (identity.kind === 'session') {
    if (isCrossSite && (!isSafe(probe.route) || rule.rejectsCrossSite))
      return '403 forbidden cross_site_request'
    if (rule.caller === 'operator' && !identity.isOperator) return '403 forbidden missing_permission'
  }
  const ownId = identity.kind === 'key' ? identity.workspaceId : null
  const concernedId = rule.workspace === 'none' ? null : namesWorkspace ? workspaceId : ownId
  if (concernedId === null) return requireVerification(probe, identity)
  if (identity.kind === 'key' && concernedId !== ownId) return '403 forbidden wrong_workspace'
  if (identity.permissions === null) return '403 forbidden not_a_member'
  if (probe.isArchived && concernedId === workspaceId && !worksWhenArchived(probe))
    return '403 forbidden workspace_archived'
  const required = findRequiredPermission(probe, identity.kind)
  if (required !== null && !identity.permissions.has(required))
    return `403 forbidden missing_permission ${required}`
  return requireVerification(probe, identity)
}

function requireVerification({ rule, choice }: AccessProbe, identity: Identity): string {
  if (identity.kind !== 'session' || !identity.isStale) return ACCEPTED
  const isRequired = choice?.requiresVerification ?? rule.requiresVerification
  if (isRequired === 'depends') return DEPENDS_ON_VERIFICATION
  return isRequired ? '403 forbidden verification_required' : ACCEPTED
}

function worksWhenArchived({ route, rule, choice }: AccessProbe): boolean {
  if (isSafe(route)) return true
  return choice ? (choice.isRead ?? choice.worksWhenArchived ?? false) : rule.worksWhenArchived === true
}

function findRequiredPermission({ rule, choice }: AccessProbe, kind: 'key' | 'session'): Permission | null {
  if (choice) return kind === 'key' ? choice.forKey : choice.forSession
  return rule.permissions[0] ?? null
}
