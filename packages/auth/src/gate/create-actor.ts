import { type Actor, anonymousActor, DEFAULT_PLATFORMS, forbidden } from '@reeve/core'
import type { AuthenticationDependencies, Caller } from './authenticate.ts'
import type { Client } from './client.ts'
import { findMembershipPermissions, type Membership } from './membership.ts'
import { assertMemberSecondFactor } from './second-factor-policy.ts'
import type { WorkspaceState } from './workspace-state.ts'

export interface ActorDependencies extends AuthenticationDependencies {
  readonly getWorkspaceState: (workspaceId: string) => WorkspaceState | Promise<WorkspaceState | undefined>
}

interface ActorOptions {
  readonly client: Client
  /** Whether the request is possible without the second factor that the workspace requires. */
  readonly mayLackWorkspaceFactor: boolean
}

const NO_MEMBERSHIP: Membership = { ...anonymousActor, secondFactorDueAt: null }

/**
 * The caller with their permissions in a workspace.
 * @param workspaceId an empty string for none
 * @throws AppError `forbidden`: `wrong_workspace`, `not_a_member`, or `second_factor_required` by the workspace
 */
export async function createActor(
  deps: ActorDependencies,
  caller: Caller,
  workspaceId: string,
  { client, mayLackWorkspaceFactor }: ActorOptions,
): Promise<Actor> {
  if (caller.kind === 'api_key') {
    const { key } = caller
    if (workspaceId !== key.workspaceId) throw forbidden('wrong_workspace')
    const workspace = await deps.getWorkspaceState(workspaceId)
    return {
      kind: 'api_key',
      id: key.id,
      name: key.name,
      workspaceId,
      platforms: workspace?.platforms ?? DEFAULT_PLATFORMS,
      pseudonymKey: workspace?.pseudonymKey ?? null,
      permissions: key.permissions,
      rank: key.rank,
      limits: key.limits,
      personId: key.personId,
      isOperator: false,
      sessionId: null,
      get ip() {
        return client.ip
      },
      requestId: client.requestId,
    }
  }
  const { session } = caller
  const membership =
    workspaceId === ''
      ? NO_MEMBERSHIP
      : await findMembershipPermissions(deps.db.read, workspaceId, session.accountId)
  if (!membership) throw forbidden('not_a_member')
  if (!mayLackWorkspaceFactor) assertMemberSecondFactor(membership, session, deps.ports.now())
  const workspace = workspaceId === '' ? undefined : await deps.getWorkspaceState(workspaceId)
  return {
    ...client,
    kind: 'account',
    id: session.accountId,
    name: session.username,
    workspaceId,
    platforms: workspace?.platforms ?? DEFAULT_PLATFORMS,
    pseudonymKey: workspace?.pseudonymKey ?? null,
    permissions: membership.permissions,
    rank: membership.rank,
    limits: membership.limits,
    personId: session.accountId,
    isOperator: session.isOperator,
    sessionId: session.id,
  }
}
