import type { Permission } from './permission.ts'

/** The rank of a workspace's owner: above every role. */
export const OWNER_RANK = 1_000_000

/**
 * Whoever is calling, as admitted to one workspace (or to none: `workspaceId` is empty for a signed-in account
 * that names no workspace). Services take it as data and never look the caller up again.
 */
export interface Actor {
  readonly kind: 'api_key' | 'account' | 'system'
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  readonly permissions: ReadonlySet<Permission>
  /** Higher outranks lower; roles, keys and members at or above one's own rank are out of reach. */
  readonly rank: number
  readonly isOperator: boolean
  /** The session the account came with; null for keys and the system. */
  readonly sessionId: string | null
  /** The caller's network address, and the call's id: both go into the audit log. */
  readonly ip: string
  readonly requestId: string
}

/** A caller that has not been admitted to anything. */
export const anonymousActor: Actor = {
  kind: 'system',
  id: 'nobody',
  name: 'nobody',
  workspaceId: '',
  permissions: new Set(),
  rank: -1,
  isOperator: false,
  sessionId: null,
  ip: '',
  requestId: '',
}
