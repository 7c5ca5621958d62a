import { appendAuditEntry } from '@reeve/audit'
import { findMembershipPermissions, hashToken, type MembershipPermissions } from '@reeve/auth'
import { type Actor, AppError, hasPermission, type Ports, wire } from '@reeve/core'
import {
  type InvitationTable,
  onFormerMember,
  type Queries,
  type RoleTable,
  type Sql,
  selectListedName,
  statement,
  type Transaction,
} from '@reeve/db'
import { assertCanAssignRoles, listRolesById } from '../assign.ts'
import type { PresentedInvitation } from './model.ts'

/** Selects invitations, with what is shown of the accounts that created them. */
export const selectInvitations = (sql: Sql) =>
  sql
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.created_by')
    .leftJoin('former_member', onFormerMember('invitation'))
    .selectAll('invitation')
    .select((eb) => [selectListedName(eb).as('username'), 'account.disabled_at'])

const selectOffers = (sql: Sql) =>
  selectInvitations(sql)
    .innerJoin('workspace', (join) =>
      join.onRef('workspace.id', '=', 'invitation.workspace_id').on('workspace.hidden', 'is', null),
    )
    .select(['workspace.group_name', 'workspace.archived_at'])

const invitationByToken = statement<{ hash: string }>()((sql, p) =>
  selectOffers(sql).where('token_hash', '=', p.hash),
)
const receivedInvitation = statement<{ accountId: string; id: string }>()((sql, p) =>
  selectOffers(sql).where('invitation.invitee_id', '=', p.accountId).where('invitation.id', '=', p.id),
)
const receivedInvitations = statement<{ accountId: string; now: number; before: string; limit: number }>()(
  (sql, p) =>
    selectOffers(sql)
      .where('invitation.invitee_id', '=', p.accountId)
      .where('invitation.expires_at', '>', p.now)
      .where('invitation.id', '<', p.before)
      .orderBy('invitation.id', 'desc')
      .limit(p.limit),
)

/** A stored invitation, with the account that created it, whose name can be blanked. */
export type InvitationRow = InvitationTable & { username: string | null; disabled_at: number | null }

/** A stored invitation, with what the invited person sees of its workspace. */
export type OfferRow = InvitationRow & { group_name: string; archived_at: number | null }

/** What an invitation grants now. Its creator may have lost the right to assign some of the roles. */
export interface InvitationGrant {
  readonly roles: readonly RoleTable[]
  /** Ids of its roles that were deleted or that its creator can no longer assign. */
  readonly skippedRoleIds: readonly string[]
}

/** An invitation that can be accepted. */
export interface OpenInvitation extends InvitationGrant {
  readonly id: string
  readonly workspaceId: string
  readonly groupName: string
  readonly isArchived: boolean
  readonly invitedBy: { readonly id: string; readonly username: string | null }
  readonly expiresAt: number
}

/** The error for every unusable token, so that it does not reveal the reason. */
export const invitationNotFound = () =>
  new AppError('not_found', {
    message:
      'This invitation is not valid. The link may be incomplete, or the invitation was used, withdrawn or has expired. ' +
      'Ask for a new one.',
  })

/** The roles that the creator of an invitation can still assign; null if the creator may no longer invite. */
export async function resolveGrant(db: Queries, row: InvitationRow): Promise<InvitationGrant | null> {
  const grantor = await findMembershipPermissions(db, row.workspace_id, row.created_by)
  if (grantor === null || row.disabled_at !== null || !hasPermission(grantor, 'members.manage')) return null
  const ids = JSON.parse(row.role_ids) as string[]
  const roles = (await listRolesById(db, row.workspace_id, ids)).filter((role) => canAssign(grantor, role))
  return { roles, skippedRoleIds: ids.filter((id) => !roles.some((role) => role.id === id)) }
}

function canAssign(grantor: MembershipPermissions, role: RoleTable): boolean {
  try {
    assertCanAssignRoles(grantor, [role])
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/**
 * The invitation of a token, with what it grants now.
 * @throws AppError `not_found`, the same for an unknown, used, withdrawn or expired invitation, and for one whose creator
 *   may no longer invite
 */
export async function requireOpenInvitation(
  db: Queries,
  ports: Ports,
  token: string,
): Promise<OpenInvitation> {
  return toOpenInvitation(db, ports, await db.first(invitationByToken, { hash: hashToken(token) }))
}

/**
 * An invitation that an account has received, with what it grants now.
 * @throws AppError `not_found` as `requireOpenInvitation`, also for an invitation to somebody else
 */
export const requireReceivedInvitation = async (
  db: Queries,
  ports: Ports,
  key: { readonly accountId: string; readonly id: string },
): Promise<OpenInvitation> => toOpenInvitation(db, ports, await findReceivedInvitation(db, key))

/** The row of an invitation that an account has received. */
export const findReceivedInvitation = (
  db: Queries,
  key: { readonly accountId: string; readonly id: string },
): Promise<OfferRow | undefined> => db.first(receivedInvitation, key)

/** The rows of the pending invitations that an account has received, newest first. */
export const listReceivedRows = (
  db: Queries,
  page: { accountId: string; now: number; before: string; limit: number },
): Promise<OfferRow[]> => db.all(receivedInvitations, page)

async function toOpenInvitation(
  db: Queries,
  ports: Ports,
  row: OfferRow | undefined,
): Promise<OpenInvitation> {
  if (!row || row.expires_at <= ports.now()) throw invitationNotFound()
  const grant = await resolveGrant(db, row)
  if (grant === null) throw invitationNotFound()
  return toOffer(row, grant)
}

/** What an invitation offers to the invited person. */
export const toOffer = (row: OfferRow, grant: InvitationGrant): OpenInvitation => ({
  ...grant,
  id: row.id,
  workspaceId: row.workspace_id,
  groupName: row.group_name,
  isArchived: row.archived_at !== null,
  invitedBy: { id: row.created_by, username: row.username },
  expiresAt: row.expires_at,
})

/** The fields shown to anyone who has the link. */
export const presentToInvitee = (invitation: OpenInvitation) => ({
  groupName: invitation.groupName,
  status: invitation.isArchived ? 'archived' : 'active',
  invitedBy: invitation.invitedBy.username,
  roles: invitation.roles.map(({ id, name, color }) => ({ id, name, color })),
  expiresAt: wire.time.write(invitation.expiresAt),
})

/** The fields shown to those who manage members. */
export const presentInvitation = (
  row: InvitationRow,
  grant: InvitationGrant | null,
): PresentedInvitation => ({
  id: row.id,
  roles: (grant?.roles ?? []).map(({ id, name, color, rank }) => ({ id, name, color, rank: String(rank) })),
  username: row.invitee_name,
  note: row.note,
  createdBy: row.created_by,
  createdByUsername: row.username,
  createdAt: wire.time.write(row.created_at),
  expiresAt: wire.time.write(row.expires_at),
  valid: wire.boolean.write(grant !== null),
})

/** Writes a change of an invitation to the audit log and announces it. */
export async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: 'create' | 'withdraw' | 'accept' | 'decline',
  change: { readonly id: string; readonly before?: object; readonly after?: object },
): Promise<void> {
  const { id, before, after } = change
  await appendAuditEntry(tx, ports, actor, {
    action: `invitations.${action}`,
    target: { kind: 'invitation', id },
    before,
    after,
  })
  tx.announce({ kind: 'invitation', workspaceId: actor.workspaceId, id })
}
