import { type Actor, listPlayerKeys } from '@reeve/core'
import { type Queries, type RecordTable, statement } from '@reeve/db'
import { requireRecord } from './record-store.ts'
import { rebuildAtSequence } from './versions.ts'

/** The newest records of a player among which changed ones are searched. */
const RECORDS_LIMIT = 100

const newestRecords = statement<{ workspaceId: string; userIds: readonly string[]; limit: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
      .select(['id', 'action', 'ladder_id', 'sequence'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('user_id', p.userIds))
      .orderBy('case_number', 'desc')
      .limit(p.limit),
)

/** A record, and what it was. */
export interface ChangedRecord {
  readonly record: RecordTable
  /** Null if it did not exist. */
  readonly seen: RecordTable | null
}

/**
 * The records of a player that were created or changed after a sequence of the audit log, newest first.
 * @param isMeant whether a record is read
 */
export async function* readChangedRecords(
  db: Queries,
  actor: Actor,
  { userId, seenSequence }: { readonly userId: string; readonly seenSequence: number },
  isMeant: (record: Pick<RecordTable, 'action' | 'ladder_id'>) => boolean,
): AsyncGenerator<ChangedRecord> {
  const { workspaceId, platforms } = actor
  const userIds = listPlayerKeys(userId, platforms)
  for (const row of await db.all(newestRecords, { workspaceId, userIds, limit: RECORDS_LIMIT })) {
    if (row.sequence <= seenSequence || !isMeant(row)) continue
    const record = await requireRecord(db, actor, row.id)
    yield { record, seen: await rebuildAtSequence(db, record, seenSequence) }
  }
}
