import type { Permission } from './permission-catalog.ts'
import { DEFAULT_PLATFORMS, type Platforms } from './platforms/platforms.ts'
import { type ActorLimits, UNLIMITED } from './role-limits.ts'

/** The rank of the owner of a workspace, above every role. */
export const OWNER_RANK = 1_000_000

/**
 * The authenticated caller of a request, with their permissions in one workspace. `workspaceId` is empty if a session
 * names no workspace. Services receive it as data and never query the caller again.
 */
export interface Actor {
  readonly kind: 'api_key' | 'account' | 'system'
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  /** The platforms of the workspace; Roblox without one. */
  readonly platforms: Platforms
  /** The key of the pseudonyms of erased players; null if the workspace has none, and without one. See `player-hashes.ts`. */
  readonly pseudonymKey: Uint8Array | null
  readonly permissions: ReadonlySet<Permission>
  /** An actor manages roles and members of lower ranks. See `rank-rules.ts`. */
  readonly rank: number
  /** How far the permissions to moderate go. See `role-limits.ts`. */
  readonly limits: ActorLimits
  /** Who is responsible: the account, or the account that created the API key. */
  readonly personId: string
  readonly isOperator: boolean
  /** The session of an account; null for API keys and the system. */
  readonly sessionId: string | null
  /** The IP address of the client and the id of the request, both recorded in the audit log. */
  readonly ip: string
  readonly requestId: string
}

/** A caller without credentials. */
export const anonymousActor: Actor = {
  kind: 'system',
  id: 'nobody',
  name: 'nobody',
  workspaceId: '',
  platforms: DEFAULT_PLATFORMS,
  pseudonymKey: null,
  permissions: new Set(),
  rank: -1,
  limits: UNLIMITED,
  personId: 'nobody',
  isOperator: false,
  sessionId: null,
  ip: '',
  requestId: '',
}

/**
 * The server itself, as the caller of what it does without a request.
 * @param workspaceId empty if it acts on the instance
 * @param task what it acts for; the audit log shows it behind the name
 */
export const createSystemActor = (workspaceId = '', task?: string): Actor => ({
  ...anonymousActor,
  id: 'reeve',
  name: task === undefined ? 'reeve' : `reeve (${task})`,
  workspaceId,
})
