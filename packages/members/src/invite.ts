import { appendAuditEntry } from '@reeve/audit'
import { newToken, tokenHash } from '@reeve/auth'
import { type Actor, AppError, type Ports } from '@reeve/core'
import { type InvitationTable, statement, type Transaction } from '@reeve/db'
import { needToAssign, rolesNamed } from './assign.ts'
import { shownInvitation } from './invitation.ts'
import { DEFAULT_VALID_SECONDS, type NewInvitationInput } from './invitation-model.ts'

/** How many invitations of a workspace may wait at the same time. */
export const MAX_INVITATIONS = 100

const insert = statement<InvitationTable>()((sql, p) =>
  sql.insertInto('invitation').values({
    workspace_id: p.workspace_id,
    id: p.id,
    token_hash: p.token_hash,
    role_ids: p.role_ids,
    note: p.note,
    created_by: p.created_by,
    created_at: p.created_at,
    expires_at: p.expires_at,
  }),
)
const countWaiting = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('workspace_id', '=', p.workspaceId)
    .where('expires_at', '>', p.now),
)
/**
 * Makes an invitation with roles that the actor could assign.
 * @returns the invitation, and its token: it is nowhere else
 * @throws AppError `invalid_request`, `forbidden` (`insufficient_rank`, `missing_permission`), `conflict` at
 *   `MAX_INVITATIONS`
 */
export async function invite(tx: Transaction, ports: Ports, actor: Actor, input: NewInvitationInput) {
  const { workspaceId } = actor
  const roles = await rolesNamed(tx, workspaceId, input.roleIds ?? [])
  needToAssign(actor, roles)
  const now = ports.now()
  const counted = await tx.first(countWaiting, { workspaceId, now })
  if ((counted?.waiting ?? 0) >= MAX_INVITATIONS) {
    throw new AppError('conflict', {
      message: `${MAX_INVITATIONS} invitations wait to be accepted, the most there may be; withdraw one first.`,
    })
  }
  const token = newToken(ports)
  const row: InvitationTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    token_hash: tokenHash(token),
    role_ids: JSON.stringify(roles.map((role) => role.id)),
    note: input.note || null,
    created_by: actor.id,
    created_at: now,
    expires_at: now + (input.validSeconds ?? DEFAULT_VALID_SECONDS) * 1000,
  }
  await tx.run(insert, row)
  const made = { ...row, username: actor.name, disabled_at: null }
  const invitation = shownInvitation(made, { roles, leftOut: [] })
  await told(tx, ports, actor, 'create', { id: row.id, after: invitation })
  return { invitation, token }
}

/** Writes what became of an invitation into the log, and tells who listens. */
export async function told(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  verb: 'create' | 'withdraw' | 'accept',
  of: { readonly id: string; readonly before?: unknown; readonly after?: unknown },
): Promise<void> {
  const { id, before, after } = of
  await appendAuditEntry(tx, ports, actor, {
    action: `invitations.${verb}`,
    target: { kind: 'invitation', id },
    before,
    after,
  })
  tx.announce({ kind: 'invitation', workspaceId: actor.workspaceId, id })
}
