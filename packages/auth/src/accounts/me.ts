import { type Actor, type Ports, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { listSecondFactors } from '../factors/enrolled.ts'
import { areMultipleFactors } from '../factors/factor.ts'
import { hasPassword, listVerificationFactors } from '../factors/verify-session.ts'
import { combineRoles, findSecondFactorDueAt } from '../gate/membership.ts'
import { findMailAddress } from '../mail/outbox.ts'
import { listVerificationProviders } from '../methods/oidc/verify-session.ts'
import { findSessionFactors } from '../sessions/session.ts'
import type { Settings } from '../settings.ts'
import { countOwnedWorkspaces } from '../workspace-limit.ts'
import { presentAccount, presentMembership } from './model.ts'

/** Reads across workspaces, limited to one account. */
const membershipsByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .innerJoin('workspace_head', 'workspace_head.workspace_id', 'member.workspace_id')
    .leftJoin('member_role', (join) =>
      join
        .onRef('member_role.workspace_id', '=', 'member.workspace_id')
        .onRef('member_role.account_id', '=', 'member.account_id'),
    )
    .leftJoin('role', (join) =>
      join
        .onRef('role.workspace_id', '=', 'member_role.workspace_id')
        .onRef('role.id', '=', 'member_role.role_id'),
    )
    .select([
      'workspace.id as workspace_id',
      'workspace.group_name',
      'workspace.archived_at',
      'workspace.delete_at',
      'workspace_head.audit_sequence',
      'workspace.profile_url',
      'workspace.platforms',
      'role.id as role_id',
      'role.name as role_name',
      'role.color',
      'role.permissions',
      'role.rank',
      'role.limits',
      'role.is_owner',
      'role.second_factor_since',
      'member_role.assigned_at',
      'workspace.second_factor_grace_days',
    ])
    .where('member.account_id', '=', p.accountId)
    .orderBy('workspace.group_name')
    .orderBy('workspace.id')
    .orderBy('role.rank', 'desc')
    .orderBy('role.id'),
)

/** Reads across workspaces, limited to one account. */
const restrictedEndpointsByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('endpoint_control', 'endpoint_control.workspace_id', 'member.workspace_id')
    .select([
      'endpoint_control.workspace_id',
      'endpoint_control.endpoint',
      'endpoint_control.mode',
      'endpoint_control.message',
    ])
    .where('member.account_id', '=', p.accountId)
    .where('endpoint_control.mode', '!=', 'on')
    .orderBy('endpoint_control.endpoint'),
)

const receivedInvitations = statement<{ accountId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('invitee_id', '=', p.accountId)
    .where('expires_at', '>', p.now),
)

/** What a session lacks to have a second factor: one of the account, or only its verification. */
async function findMissingSecondFactor(
  db: Queries,
  { id, sessionId }: Actor,
): Promise<'none' | 'add' | 'verify'> {
  const verified = sessionId === null ? null : await findSessionFactors(db, sessionId)
  if (areMultipleFactors(verified ?? [])) return 'none'
  return (await listSecondFactors(db, id)).length > 0 ? 'verify' : 'add'
}

/** The signed-in account, its session and the workspaces it is a member of. */
export async function getCurrentAccount(db: Queries, ports: Ports, settings: Settings, actor: Actor) {
  const rows = await db.all(membershipsByAccount, { accountId: actor.id })
  const invitations = await db.first(receivedInvitations, { accountId: actor.id, now: ports.now() })
  const workspaces = Map.groupBy(rows, (row) => row.workspace_id)
  const endpoints = Map.groupBy(
    await db.all(restrictedEndpointsByAccount, { accountId: actor.id }),
    (row) => row.workspace_id,
  )
  const verificationProviders = await listVerificationProviders(db, actor.id, settings.oidcProviders)
  const missingSecondFactor = await findMissingSecondFactor(db, actor)
  return {
    account: presentAccount({ id: actor.id, username: actor.name, isOperator: actor.isOperator }),
    hasPassword: wire.boolean.write(await hasPassword(db, actor.id)),
    email: (await findMailAddress(db, actor.id))?.email ?? null,
    verificationFactors: [...(await listVerificationFactors(db, actor.id))],
    verificationProviders: verificationProviders.map(({ id }) => id),
    missingSecondFactor: settings.mfa === 'required' ? missingSecondFactor : 'none',
    sessionId: actor.sessionId ?? '',
    workspaceCreation: settings.workspaceCreation,
    workspaceLimit: settings.workspacesPerAccount === 0 ? null : String(settings.workspacesPerAccount),
    ownedWorkspaces: String(await countOwnedWorkspaces(db, actor.id)),
    receivedInvitations: String(invitations?.count ?? 0),
    workspaces: [...workspaces].map(([id, roles]) =>
      presentMembership(
        roles,
        { ...combineRoles(roles), secondFactorDueAt: findSecondFactorDueAt(roles) },
        { restrictedEndpoints: endpoints.get(id) ?? [], missingSecondFactor, now: ports.now() },
      ),
    ),
  }
}
