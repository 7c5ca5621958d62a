import { appendAuditEntry, BLANK_NAME } from '@reeve/audit'
import {
  type Actor,
  AppError,
  forbidden,
  OWNER_RANK,
  type Ports,
  paginate,
  parsePage,
  requireFields,
  wire,
} from '@reeve/core'
import {
  FIRST_USERNAME_KEY,
  type FormerMemberTable,
  type Queries,
  type Sql,
  statement,
  type Transaction,
} from '@reeve/db'
import type { DeletedMembersQueryInput, PresentedDeletedMember } from './model.ts'

const selectDeleted = (sql: Sql) =>
  sql
    .selectFrom('former_member')
    .innerJoin('account', 'account.id', 'former_member.account_id')
    .selectAll('former_member')
    .select('account.username')

const deletedById = statement<{ workspaceId: string; after: string; limit: number }>()((sql, p) =>
  selectDeleted(sql)
    .where('former_member.workspace_id', '=', p.workspaceId)
    .where('account.username_key', '<', FIRST_USERNAME_KEY)
    .where('former_member.account_id', '>', p.after)
    .orderBy('former_member.account_id')
    .limit(p.limit),
)
const deletedMember = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  selectDeleted(sql)
    .where('former_member.workspace_id', '=', p.workspaceId)
    .where('account.username_key', '<', FIRST_USERNAME_KEY)
    .where('former_member.account_id', '=', p.accountId),
)
const requestBlanking = statement<{ workspaceId: string; accountId: string; sequence: number }>()((sql, p) =>
  sql
    .updateTable('former_member')
    .set({ blank_sequence: p.sequence, blanked_at: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId),
)

const LIST = 'deleted-members'

/** A page of the former members of the actor's workspace whose accounts were deleted. */
export async function listDeletedMembers(
  db: Queries,
  { workspaceId }: Actor,
  input: DeletedMembersQueryInput,
) {
  const page = parsePage(LIST, input, ['string'])
  const after = String(page.after?.[0] ?? '')
  const found = await db.all(deletedById, { workspaceId, after, limit: page.limit + 1 })
  const { rows, nextCursor } = paginate(found, page, (row) => [row.account_id])
  return { deletedMembers: rows.map(presentDeletedMember), nextCursor }
}

/**
 * Requests that the name of a deleted account is removed from the history of the workspace, which a job does. Only for the owner. The
 * entry of the audit log explains to its verification why names are missing before it.
 * @throws AppError `forbidden` (`insufficient_rank`), `invalid_request`, `not_found` for an account that is not deleted or was no member;
 *   `conflict` while it is being done
 */
export async function blankName(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly accountId?: string },
) {
  if (actor.rank < OWNER_RANK)
    throw forbidden('insufficient_rank', 'Only the owner of the workspace can blank names.')
  const { accountId } = requireFields(input, 'accountId')
  const key = { workspaceId: actor.workspaceId, accountId }
  const row = await tx.first(deletedMember, key)
  if (!row) throw new AppError('not_found', { message: 'There is no deleted account with this ID.' })
  if (row.blank_sequence !== null && row.blanked_at === null)
    throw new AppError('conflict', { message: 'The name is already being removed.' })
  const sequence = await appendAuditEntry(tx, ports, actor, {
    action: BLANK_NAME,
    target: { kind: 'account', id: accountId },
  })
  await tx.run(requestBlanking, { ...key, sequence })
  tx.announce({ kind: 'member', workspaceId: actor.workspaceId, id: accountId })
  return { deletedMember: presentDeletedMember({ ...row, blank_sequence: sequence, blanked_at: null }) }
}

const presentDeletedMember = (
  row: FormerMemberTable & { readonly username: string },
): PresentedDeletedMember => ({
  accountId: row.account_id,
  username: row.blank_sequence === null ? row.username : null,
  leftAt: wire.time.write(row.left_at),
  nameState: row.blank_sequence === null ? 'kept' : row.blanked_at === null ? 'blanking' : 'blanked',
})
