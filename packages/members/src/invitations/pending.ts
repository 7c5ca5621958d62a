import {
  type Actor,
  AppError,
  assertOutranks,
  MAX_ID,
  type Ports,
  paginate,
  parsePage,
  requireFields,
} from '@reeve/core'
import { type Database, type Queries, statement, type Transaction } from '@reeve/db'
import { listRolesById } from '../assign.ts'
import { type InvitationRow, presentInvitation, recordChange, resolveGrant } from './invitation.ts'
import type { InvitationsQueryInput } from './model.ts'

type InvitationKey = { workspaceId: string; id: string }

const newestFirst = statement<{ workspaceId: string; now: number; before: string; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('invitation')
      .innerJoin('account', 'account.id', 'invitation.created_by')
      .selectAll('invitation')
      .select(['account.username', 'account.disabled_at'])
      .where('invitation.workspace_id', '=', p.workspaceId)
      .where('invitation.expires_at', '>', p.now)
      .where('invitation.id', '<', p.before)
      .orderBy('invitation.id', 'desc')
      .limit(p.limit),
)
const byId = statement<InvitationKey>()((sql, p) =>
  sql
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.created_by')
    .selectAll('invitation')
    .select(['account.username', 'account.disabled_at'])
    .where('invitation.workspace_id', '=', p.workspaceId)
    .where('invitation.id', '=', p.id),
)
const deleteInvitation = statement<InvitationKey>()((sql, p) =>
  sql.deleteFrom('invitation').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const deleteExpired = statement<{ before: number }>()((sql, p) =>
  sql.deleteFrom('invitation').where('expires_at', '<=', p.before),
)

const LIST = 'invitations'

/** A page of the invitations that wait, newest first. What each gives is what it would give at this moment. */
export async function listInvitations(db: Queries, ports: Ports, actor: Actor, input: InvitationsQueryInput) {
  const { limit, after } = parsePage(LIST, input, ['string'])
  const results = await db.all(newestFirst, {
    workspaceId: actor.workspaceId,
    now: ports.now(),
    before: String(after?.[0] ?? MAX_ID),
    limit: limit + 1,
  })
  const { rows, nextCursor } = paginate(results, limit, LIST, (row) => [row.id])
  const invitations = []
  for (const row of rows) invitations.push(presentInvitation(row, await resolveGrant(db, row)))
  return { invitations, nextCursor }
}

/**
 * Withdraws an invitation: the actor's own, or one whose roles all rank below the actor.
 * @throws AppError `not_found`, also for one that was used or has expired; `forbidden` (`insufficient_rank`)
 */
export async function withdrawInvitation(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { id?: string },
) {
  const { id } = requireFields(input, 'id')
  const { workspaceId } = actor
  const row = await tx.first(byId, { workspaceId, id })
  if (!row || row.expires_at <= ports.now())
    throw new AppError('not_found', { message: 'There is no such invitation.' })
  await assertCanWithdraw(tx, actor, row)
  const invitation = presentInvitation(row, await resolveGrant(tx, row))
  await tx.run(deleteInvitation, { workspaceId, id })
  await recordChange(tx, ports, actor, 'withdraw', { id, before: invitation })
  return { invitation }
}

async function assertCanWithdraw(tx: Transaction, actor: Actor, row: InvitationRow): Promise<void> {
  if (row.created_by === actor.id) return
  const roles = await listRolesById(tx, row.workspace_id, JSON.parse(row.role_ids) as string[])
  for (const role of roles) assertOutranks(actor, role.rank)
}

/** Takes an invitation as used. @returns whether it was there still: of two who accept it, one has it */
export const consumeInvitation = async (tx: Transaction, key: InvitationKey): Promise<boolean> =>
  (await tx.run(deleteInvitation, key)) > 0

/** Deletes the invitations that can no longer be accepted. */
export const deleteExpiredInvitations = async (db: Database, ports: Ports): Promise<void> => {
  await db.write((tx) => tx.run(deleteExpired, { before: ports.now() }))
}
