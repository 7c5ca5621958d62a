import { generateToken, hashToken } from '@reeve/auth'
import { type Actor, AppError, type Ports } from '@reeve/core'
import { type InvitationTable, insertAll, statement, type Transaction } from '@reeve/db'
import { assertCanAssignRoles, requireRoles } from '../assign.ts'
import { presentInvitation, recordChange } from './invitation.ts'
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

/**
 * Creates an invitation with roles that the actor can assign.
 * @returns the invitation, and its token, of which only the hash is stored
 * @throws AppError `invalid_request`, `forbidden` (`insufficient_rank`, `missing_permission`), `conflict` at
 *   `MAX_INVITATIONS`
 */
export async function createInvitation(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: NewInvitationInput,
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
  const token = generateToken(ports)
  const row: InvitationTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    token_hash: hashToken(token),
    role_ids: JSON.stringify(roles.map((role) => role.id)),
    note: input.note || null,
    created_by: actor.id,
    created_at: now,
    expires_at: now + (input.validSeconds ?? DEFAULT_VALID_SECONDS) * 1000,
  }
  await tx.run(insertInvitation, row)
  const created = { ...row, username: actor.name, disabled_at: null }
  const invitation = presentInvitation(created, { roles, skippedRoleIds: [] })
  await recordChange(tx, ports, actor, 'create', { id: row.id, after: invitation })
  return { invitation, token }
}
