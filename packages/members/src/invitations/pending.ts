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
import { type Database, type Queries, runInSlices, statement, type Transaction } from '@reeve/db'
import { listRolesById } from '../assign.ts'
import {
  type InvitationRow,
  presentInvitation,
  recordChange,
  resolveGrant,
  selectInvitations,
} from './invitation.ts'
import type { InvitationsQueryInput } from './model.ts'

type InvitationKey = { workspaceId: string; id: string }

const newestFirst = statement<{ workspaceId: string; now: number; before: string; limit: number }>()(
  (sql, p) =>
    selectInvitations(sql)
      .where('invitation.workspace_id', '=', p.workspaceId)
      .where('invitation.expires_at', '>', p.now)
      .where('invitation.id', '<', p.before)
      .orderBy('invitation.id', 'desc')
      .limit(p.limit),
)
const byId = statement<InvitationKey>()((sql, p) =>
  selectInvitations(sql)
    .where('invitation.workspace_id', '=', p.workspaceId)
    .where('invitation.id', '=', p.id),
)
const toInvitee = statement<{ workspaceId: string; inviteeId: string; now: number }>()((sql, p) =>
  selectInvitations(sql)
    .where('invitation.workspace_id', '=', p.workspaceId)
    .where('invitation.invitee_id', '=', p.inviteeId)
    .where('invitation.expires_at', '>', p.now)
    .orderBy('invitation.id'),
)
const deleteInvitation = statement<InvitationKey>()((sql, p) =>
  sql.deleteFrom('invitation').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const deleteExpired = statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .deleteFrom('invitation')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('workspace_id', 'id'),
        'in',
        selectFrom('invitation')
          .select(['workspace_id', 'id'])
          .where('expires_at', '<=', p.before)
          .orderBy('expires_at')
          .limit(p.limit)
          .$asTuple('workspace_id', 'id'),
      ),
    ),
)

const LIST = 'invitations'

/** A page of pending invitations, newest first, each with what it grants now. */
export async function listInvitations(db: Queries, ports: Ports, actor: Actor, input: InvitationsQueryInput) {
  const page = parsePage(LIST, input, ['string'])
  const results = await db.all(newestFirst, {
    workspaceId: actor.workspaceId,
    now: ports.now(),
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  const invitations = []
  for (const row of rows) invitations.push(presentInvitation(row, await resolveGrant(db, row)))
  return { invitations, nextCursor }
}

/**
 * Withdraws an invitation that the actor created, or whose roles the actor all outranks.
 * @throws AppError `not_found`, also for a used or expired one; `forbidden` (`insufficient_rank`)
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
    throw new AppError('not_found', { message: 'Invitation not found.' })
  await assertCanWithdraw(tx, actor, row)
  return { invitation: await withdraw(tx, ports, actor, row) }
}

async function withdraw(tx: Transaction, ports: Ports, actor: Actor, row: InvitationRow) {
  const { workspace_id: workspaceId, id } = row
  const invitation = presentInvitation(row, await resolveGrant(tx, row))
  await tx.run(deleteInvitation, { workspaceId, id })
  await recordChange(tx, ports, actor, 'withdraw', { id, before: invitation })
  return invitation
}

/**
 * Withdraws the pending invitations by username of an account that joins or leaves the workspace of the actor. A member who
 * is demoted or removed later could get the roles of such an invitation with it.
 */
export async function withdrawReceivedInvitations(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  accountId: string,
): Promise<void> {
  const { workspaceId } = actor
  const key = { workspaceId, inviteeId: accountId, now: ports.now() }
  for (const row of await tx.all(toInvitee, key)) await withdraw(tx, ports, actor, row)
}

async function assertCanWithdraw(tx: Transaction, actor: Actor, row: InvitationRow): Promise<void> {
  if (row.created_by === actor.id) return
  const roles = await listRolesById(tx, row.workspace_id, JSON.parse(row.role_ids) as string[])
  for (const role of roles) assertOutranks(actor, role.rank)
}

/** Deletes an accepted invitation. @returns false if a concurrent request has accepted it */
export const consumeInvitation = async (tx: Transaction, key: InvitationKey): Promise<boolean> =>
  (await tx.run(deleteInvitation, key)) > 0

/** Deletes expired invitations. */
export const deleteExpiredInvitations = (db: Database, ports: Ports, signal?: AbortSignal): Promise<void> =>
  runInSlices(db, deleteExpired, { before: ports.now() }, signal)
