import { AppError } from '@reeve/core'
import { applyVersion, type Queries, type RecordTable, statement } from '@reeve/db'

const versionsBefore = statement<{ workspaceId: string; id: string; before: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('record_version')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('record_id', '=', p.id)
      .where('version', '<', p.before)
      .orderBy('version', 'desc')
      .limit(p.limit),
)

/** Versions that one statement reads: each can have 64 KiB of texts. */
const VERSIONS_PER_STATEMENT = 10
/** How far back a record is read. More changes by one actor are not a raid. */
const MAX_VERSIONS = 300

/** A change of a record. */
export interface RecordChange {
  /** Its sequence in the audit log. */
  readonly sequence: number
  readonly actorId: string
  readonly at: number
}

/** Which changes of a record are meant. */
export interface ChangeSelection {
  readonly isSelected: (change: RecordChange) => boolean
  /** Whether neither this change nor an earlier one is selected. */
  readonly isTooOld: (change: RecordChange) => boolean
}

/** A change with the versions before and after it. */
export interface Transition extends RecordChange {
  readonly before: RecordTable
  readonly after: RecordTable
}

/** The changes since the first selected one, newest first. */
export interface SelectedHistory {
  readonly selected: readonly Transition[]
  readonly others: readonly Transition[]
  /** Whether the record was created by a selected change. */
  readonly isCreationSelected: boolean
}

/** Reads the changes of a record back to the first selected one. @throws AppError `conflict` if it has too many */
export async function readHistory(
  db: Queries,
  record: RecordTable,
  { isSelected, isTooOld }: ChangeSelection,
): Promise<SelectedHistory> {
  const selected: Transition[] = []
  const others: Transition[] = []
  // Changes of others count only if a selected one is older.
  let newerOthers: Transition[] = []
  let first = record
  for await (const transition of readTransitions(db, record)) {
    if (isTooOld(transition)) return { selected, others, isCreationSelected: false }
    first = transition.before
    if (isSelected(transition)) {
      selected.push(transition)
      others.push(...newerOthers)
      newerOthers = []
    } else newerOthers.push(transition)
  }
  const creation = { sequence: first.sequence, actorId: record.actor_id, at: record.created_at }
  return isSelected(creation)
    ? { selected, others: [...others, ...newerOthers], isCreationSelected: true }
    : { selected, others, isCreationSelected: false }
}

/** The changes of a record, newest first. */
async function* readTransitions(db: Queries, record: RecordTable): AsyncGenerator<Transition> {
  const key = { workspaceId: record.workspace_id, id: record.id }
  let after = record
  for (let read = 0; after.version > 1; ) {
    const versions = await db.all(versionsBefore, {
      ...key,
      before: after.version,
      limit: VERSIONS_PER_STATEMENT,
    })
    for (const { version, snapshot, replaced_by, replaced_at } of versions) {
      if (version !== after.version - 1)
        throw new Error(`version ${after.version - 1} of record ${record.id} is missing`)
      const before = applyVersion(after, version, JSON.parse(snapshot))
      yield { before, after, sequence: after.sequence, actorId: replaced_by, at: replaced_at }
      after = before
    }
    read += versions.length
    if (versions.length === 0)
      throw new Error(`version ${after.version - 1} of record ${record.id} is missing`)
    if (read >= MAX_VERSIONS && after.version > 1)
      throw new AppError('conflict', { message: 'This record has changed too often to be reverted.' })
  }
}
