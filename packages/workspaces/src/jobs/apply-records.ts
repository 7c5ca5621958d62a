import {
  countRecordChange,
  createTimeSlicer,
  deleteRecords,
  deleteRecordVersions,
  type RecordIds,
  type RecordTable,
  statement,
  stopWaiting,
  type Transaction,
  updatePlayerNames,
  upsertAll,
} from '@reeve/db'
import type { Row } from '../archive/content-statements.ts'
import { followBans, forgetAppeals } from './apply-appeals.ts'
import { type ApplyRows, parseData, toTargetId } from './staged-rows.ts'

const currentRecords = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select([
      'id',
      'workspace_id',
      'action',
      'user_id',
      'user_username',
      'reason',
      'actor_kind',
      'actor_id',
      'revoked_at',
      'created_at',
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)
const releaseSanctions = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .updateTable('record')
    .set({ in_force: 0 })
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)
const clearSource = statement<{ workspaceId: string; source: string; sourceId: string; except: string }>()(
  (sql, p) =>
    sql
      .updateTable('record')
      .set({ source: null, source_id: null })
      .where('workspace_id', '=', p.workspaceId)
      .where('source', '=', p.source)
      .where('source_id', '=', p.sourceId)
      .where('id', '<>', p.except),
)
const upsertRecord = statement<RecordTable>()((sql, p) => upsertAll(sql, 'record', p, ['workspace_id', 'id']))
const mentionsByRecord = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .selectFrom('mention')
    .select(['id', 'record_id', 'comment_id'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids)),
)
const deleteMentions = statement<RecordIds>()((sql, p, dialect) =>
  sql.deleteFrom('mention').where('workspace_id', '=', p.workspaceId).where(dialect.inList('id', p.ids)),
)

/** Deletes, inserts and replaces records as an archive has them. */
export const applyRecords: ApplyRows = async (tx, workspaceId, rows, now) => {
  const yieldIfDue = createTimeSlicer()
  const ids = rows.map(toTargetId)
  const deletedIds = rows.filter(({ data }) => data === null).map(toTargetId)
  const restored = rows.filter(({ data }) => data !== null).map(parseData)
  const current = await tx.all(currentRecords, { workspaceId, ids })
  // First, because a player has one ban and one mute in force at any time.
  await tx.run(releaseSanctions, { workspaceId, ids })
  // The archived ones follow.
  await tx.run(deleteRecordVersions, { workspaceId, ids })
  await forgetAppeals(tx, workspaceId, deletedIds)
  await tx.run(deleteRecords, { workspaceId, ids: deletedIds })
  for (const row of restored) {
    await releaseSource(tx, workspaceId, row)
    await tx.run(upsertRecord, { ...(row as unknown as RecordTable), workspace_id: workspaceId })
    await yieldIfDue()
  }
  const restoredRecords = restored as unknown as readonly RecordTable[]
  await followBans(tx, workspaceId, restoredRecords, now)
  await deleteOrphanedMentions(tx, workspaceId, restoredRecords)
  const currentById = new Map(current.map((row) => [row.id, row]))
  const restoredById = new Map<unknown, Row>(restored.map((row) => [row.id, row]))
  for (const id of ids) {
    const before = currentById.get(id)
    const after = restoredById.get(id)
    const restoredRecord = after && { ...(after as unknown as RecordTable), workspace_id: workspaceId }
    await countRecordChange(tx, before ?? null, restoredRecord ?? null)
    if (!after) await stopWaiting(tx, workspaceId, id)
    const user_username = typeof after?.user_username === 'string' ? after.user_username : null
    const user_id = String(after?.user_id ?? before?.user_id)
    await updatePlayerNames(
      tx,
      { workspace_id: workspaceId, user_id, user_username },
      before?.user_username ?? null,
    )
    await yieldIfDue()
  }
}

/**
 * Makes the place of an archived record free: what was imported again since then has the same source, and is deleted by this roll-back,
 * but maybe later.
 */
async function releaseSource(tx: Transaction, workspaceId: string, row: Row): Promise<void> {
  const { id, source, source_id: sourceId } = row
  if (typeof source === 'string')
    await tx.run(clearSource, { workspaceId, source, sourceId: String(sourceId), except: String(id) })
}

/** Takes comments that archived records do not have out of the inboxes of those they mention. */
async function deleteOrphanedMentions(
  tx: Transaction,
  workspaceId: string,
  records: readonly RecordTable[],
): Promise<void> {
  const commentIds = new Set<unknown>(
    records.flatMap(({ comments }) => (JSON.parse(comments) as { id: string }[]).map(({ id }) => id)),
  )
  const mentions = await tx.all(mentionsByRecord, { workspaceId, ids: records.map(({ id }) => id) })
  const ids = mentions.filter(({ comment_id }) => !commentIds.has(comment_id)).map(({ id }) => id)
  if (ids.length > 0) await tx.run(deleteMentions, { workspaceId, ids })
}
