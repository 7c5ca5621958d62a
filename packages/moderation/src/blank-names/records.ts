import { applyVersion, formatVersion, type RecordTable, statement, type Transaction } from '@reeve/db'
import { findRecord } from '../records/record-store.ts'
import { readVersionBatches, updateSnapshotOfVersion } from '../records/versions.ts'
import { blankNameInJson } from './blank-json.ts'

/** Records per transaction: their comments can have 64 KiB each. */
const RECORDS_PER_SLICE = 50

const nextIds = statement<{ workspaceId: string; after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'actor_kind', 'actor_id', 'actor_username', 'comment_count'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)
type BlankedColumns = Pick<RecordTable, 'actor_username' | 'comments'>
const updateNames = statement<BlankedColumns & { workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('record')
    .set({ actor_username: p.actor_username, comments: p.comments })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

interface AccountName {
  readonly workspaceId: string
  readonly accountId: string
  readonly name: string
}

/**
 * Blanks the name of an account in the next records of a workspace, their comments and their earlier versions.
 * @param after the id of the last record that was read; empty for none
 * @returns the same for the next call; null at the end
 */
export async function blankNextRecords(
  tx: Transaction,
  { workspaceId, accountId, name }: AccountName,
  after: string,
): Promise<string | null> {
  const rows = await tx.all(nextIds, { workspaceId, after, limit: RECORDS_PER_SLICE })
  for (const { id, comment_count, ...row } of rows) {
    const isAuthor = row.actor_kind === 'account' && row.actor_id === accountId && row.actor_username !== null
    if (!isAuthor && comment_count === 0) continue
    const record = await findRecord(tx, workspaceId, id)
    if (!record) continue
    const comments = blankNameInJson(record.comments, name)
    const actor_username = isAuthor ? null : record.actor_username
    if (!isAuthor && comments === record.comments) continue
    await tx.run(updateNames, { workspaceId, id, actor_username, comments })
    if (comments !== record.comments) await blankVersions(tx, record, name)
  }
  return rows.length < RECORDS_PER_SLICE ? null : (rows.at(-1)?.id ?? null)
}

/** Versions are stored as what differs from the next one, so they are all computed again. */
async function blankVersions(tx: Transaction, record: RecordTable, name: string): Promise<void> {
  const key = { workspaceId: record.workspace_id, id: record.id }
  const versions = []
  for await (const batch of readVersionBatches(tx, key)) versions.push(...batch)
  const blank = (row: RecordTable): RecordTable => ({ ...row, comments: blankNameInJson(row.comments, name) })
  let next = record
  for (const { version, snapshot } of versions.reverse()) {
    const row = applyVersion(next, version, JSON.parse(snapshot))
    const blanked = formatVersion(blank(row), blank(next))
    if (blanked !== snapshot) await tx.run(updateSnapshotOfVersion, { ...key, version, snapshot: blanked })
    next = row
  }
}
