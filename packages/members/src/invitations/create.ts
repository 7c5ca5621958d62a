import { findAccountByUsername, generateToken, hashToken, type Settings } from '@reeve/auth'
import { type Actor, AppError, normalizeName, type Ports } from '@reeve/core'
import { type InvitationTable, insertAll, statement, type Transaction } from '@reeve/db'
import { assertCanAssignRoles, requireRoles } from '../assign.ts'
import { presentInvitation, recordChange } from './invitation.ts'
import { queueInvitationMail } from './mail.ts'
import { DEFAULT_VALID_SECONDS, type NewInvitationInput } from './model.ts'

/** Pending invitations of a workspace. */
export const MAX_INVITATIONS = 100

const insertInvitation = statement<InvitationTable>()((sql, p) => insertAll(sql, 'invitation', p))
const countPending = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('workspace_id', '=', p.workspaceId)
    .where('expires_at', '>', p.now),
)

const memberByUsername = statement<{ workspaceId: string; usernameKey: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select('member.account_id')
    .where('member.workspace_id', '=', p.workspaceId)
    .where('account.username_key', '=', p.usernameKey),
)
const invitedNames = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('invitation')
    .select('invitee_name')
    .where('workspace_id', '=', p.workspaceId)
    .where('expires_at', '>', p.now)
    .where('invitee_name', 'is not', null),
)

/**
 * Creates an invitation with roles that the actor can assign.
 * @returns the invitation, and the token of a link, of which only the hash is stored
 * @throws AppError `invalid_request`, `forbidden` (`insufficient_rank`, `missing_permission`), `conflict` at
 *   `MAX_INVITATIONS`, for a member, and for a username that is already invited, `rate_limited`
 */
export async function createInvitation(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: NewInvitationInput,
  settings: Pick<Settings, 'sendsMail'>,
) {
  const { workspaceId } = actor
  const roles = await requireRoles(tx, workspaceId, input.roleIds ?? [])
  assertCanAssignRoles(actor, roles)
  const now = ports.now()
  const count = await tx.first(countPending, { workspaceId, now })
  if ((count?.pending ?? 0) >= MAX_INVITATIONS) {
    throw new AppError('conflict', {
      message: `A workspace can have at most ${MAX_INVITATIONS} pending invitations. Withdraw one first.`,
    })
  }
  const inviteeId =
    input.username === undefined ? null : await findInvitee(tx, workspaceId, input.username, now)
  const token = input.username === undefined ? generateToken(ports) : null
  const row: InvitationTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    token_hash: token && hashToken(token),
    invitee_name: input.username ?? null,
    invitee_id: inviteeId,
    role_ids: JSON.stringify(roles.map((role) => role.id)),
    note: input.note || null,
    created_by: actor.id,
    created_at: now,
    expires_at: now + (input.validSeconds ?? DEFAULT_VALID_SECONDS) * 1000,
  }
  await tx.run(insertInvitation, row)
  await queueInvitationMail(tx, ports, actor, settings, { row, token, email: input.email ?? null })
  const created = { ...row, username: actor.name, disabled_at: null }
  const invitation = presentInvitation(created, { roles, skippedRoleIds: [] })
  await recordChange(tx, ports, actor, 'create', { id: row.id, after: invitation })
  return { invitation, token }
}

/**
 * Checks that a username can be invited. Nothing depends on whether there is such an account, so that an invitation does not
 * reveal who has one: an invitation to nobody is stored and listed like any other until it expires.
 * @returns the account; null if there is none
 * @throws AppError `conflict` for a member, and for a username that is already invited
 */
async function findInvitee(
  tx: Transaction,
  workspaceId: string,
  username: string,
  now: number,
): Promise<string | null> {
  const usernameKey = normalizeName(username)
  const account = await findAccountByUsername(tx, username)
  if (await tx.first(memberByUsername, { workspaceId, usernameKey }))
    throw new AppError('conflict', { message: `${username} is already a member.` })
  const invited = await tx.all(invitedNames, { workspaceId, now })
  if (invited.some(({ invitee_name: name }) => name !== null && normalizeName(name) === usernameKey)) {
    throw new AppError('conflict', {
      message: `${username} is already invited. Withdraw that invitation first to send another one.`,
    })
  }
  return account?.id ?? null
}
