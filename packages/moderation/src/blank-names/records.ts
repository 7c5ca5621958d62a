import { type RecordTable, statement, type Transaction } from '@reeve/db'
import { findRecord } from '../records/record-store.ts'
import { rewriteVersions } from '../records/versions.ts'
import { type AccountName, blankNameInJson } from './blank-json.ts'

/** Records per transaction: their comments can have 64 KiB each. */
const RECORDS_PER_SLICE = 50

const nextIds = statement<{ workspaceId: string; after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select([
      ...(['id', 'actor_kind', 'actor_id', 'actor_username', 'comment_count'] as const),
      ...(['revoked_by', 'revoked_by_username'] as const),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)
const recordsWithVersion = statement<{ workspaceId: string; ids: readonly string[]; text: string }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('record_version')
      .select('record_id')
      .distinct()
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('record_id', p.ids))
      .where(dialect.contains('snapshot', p.text)),
)
type BlankedColumns = Pick<RecordTable, 'actor_username' | 'revoked_by_username' | 'comments'>
const updateNames = statement<BlankedColumns & { workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('record')
    .set({
      actor_username: p.actor_username,
      revoked_by_username: p.revoked_by_username,
      comments: p.comments,
    })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/**
 * Blanks the name of an account in the next records of a workspace, their comments and their earlier versions.
 * @param after the id of the last record that was read; empty for none
 * @returns the same for the next call; null at the end
 */
export async function blankNextRecords(
  tx: Transaction,
  { workspaceId, ...account }: AccountName & { readonly workspaceId: string },
  after: string,
): Promise<string | null> {
  const { accountId } = account
  const rows = await tx.all(nextIds, { workspaceId, after, limit: RECORDS_PER_SLICE })
  const revokedBefore = await findRevokedBefore(
    tx,
    workspaceId,
    accountId,
    rows.map(({ id }) => id),
  )
  const blank = (row: RecordTable): RecordTable => ({
    ...row,
    comments: blankNameInJson(row.comments, account),
    ...(row.revoked_by === accountId && { revoked_by_username: null }),
  })
  for (const { id, comment_count, ...row } of rows) {
    const isAuthor = row.actor_kind === 'account' && row.actor_id === accountId && row.actor_username !== null
    const hasRevoked =
      revokedBefore.has(id) || (row.revoked_by === accountId && row.revoked_by_username !== null)
    if (!isAuthor && !hasRevoked && comment_count === 0) continue
    const record = await findRecord(tx, workspaceId, id)
    if (!record) continue
    const { comments, revoked_by_username } = blank(record)
    const isInVersions = hasRevoked || comments !== record.comments
    if (!isAuthor && !isInVersions) continue
    const actor_username = isAuthor ? null : record.actor_username
    await tx.run(updateNames, { workspaceId, id, actor_username, revoked_by_username, comments })
    if (isInVersions) await rewriteVersions(tx, record, blank)
  }
  return rows.length < RECORDS_PER_SLICE ? null : (rows.at(-1)?.id ?? null)
}

/** Which of these records the account had lifted or revoked, in an earlier version. */
async function findRevokedBefore(
  tx: Transaction,
  workspaceId: string,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const revokedBy: keyof RecordTable = 'revoked_by'
  const text = `"${revokedBy}":"${accountId}"`
  const found = ids.length === 0 ? [] : await tx.all(recordsWithVersion, { workspaceId, ids, text })
  return new Set(found.map(({ record_id }) => record_id))
}
