import { type Actor, MAX_ID, type Ports, paginate, parsePage, requireFields, wire } from '@reeve/core'
import type { Queries, Transaction } from '@reeve/db'
import {
  findReceivedInvitation,
  invitationNotFound,
  listReceivedRows,
  presentToInvitee,
  recordChange,
  resolveGrant,
  toOffer,
} from './invitation.ts'
import type { ReceivedInvitationsQueryInput } from './model.ts'
import { consumeInvitation } from './pending.ts'

const LIST = 'received-invitations'

/** A page of the pending invitations that the signed-in account has received, newest first, each with what it grants now. */
export async function listReceivedInvitations(
  db: Queries,
  ports: Ports,
  actor: Actor,
  input: ReceivedInvitationsQueryInput,
) {
  const page = parsePage(LIST, input, ['string'])
  const results = await listReceivedRows(db, {
    accountId: actor.id,
    now: ports.now(),
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  const invitations = []
  for (const row of rows) {
    const grant = await resolveGrant(db, row)
    invitations.push({
      id: row.id,
      workspaceId: row.workspace_id,
      ...presentToInvitee(toOffer(row, grant ?? { roles: [], skippedRoleIds: [] })),
      valid: wire.boolean.write(grant !== null),
    })
  }
  return { invitations, nextCursor }
}

/**
 * Declines an invitation that the signed-in account has received. The workspace sees it in the audit log, and that the
 * invitation is gone.
 * @throws AppError `not_found`, also for an expired one and one to somebody else
 */
export async function declineInvitation(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly id?: string },
) {
  const { id } = requireFields(input, 'id')
  const row = await findReceivedInvitation(tx, { accountId: actor.id, id })
  if (!row || row.expires_at <= ports.now()) throw invitationNotFound()
  const key = { workspaceId: row.workspace_id, id }
  if (!(await consumeInvitation(tx, key))) throw invitationNotFound()
  await recordChange(tx, ports, { ...actor, workspaceId: key.workspaceId }, 'decline', {
    id,
    after: { username: row.invitee_name, invitedBy: row.created_by },
  })
  return { id }
}
