import { groupBySize, MAX_BATCH_BYTES, wire } from '@reeve/core'
import {
  applyVersion,
  COMPLETE_VERSION_INTERVAL,
  formatVersion,
  type Queries,
  type RecordTable,
  type RecordVersionTable,
  statement,
  type Transaction,
  yieldToEventLoop,
} from '@reeve/db'
import { presentStoredRecord, type RecordVersion } from './model.ts'

/** Earlier versions of records. Each can have many kilobytes, so their sizes are read first. */

interface VersionParams {
  readonly workspaceId: string
  readonly id: string
  /** The version after which to start. */
  readonly after: number
}

const versionSizesAfter = statement<VersionParams & { limit: number }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .select(({ fn }) => ['version', fn<number>('octet_length', ['snapshot']).as('bytes')])
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.id)
    .where('version', '>', p.after)
    .orderBy('version')
    .limit(p.limit),
)
const versionsBetween = statement<VersionParams & { last: number }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.id)
    .where('version', '>', p.after)
    .where('version', '<=', p.last)
    .orderBy('version'),
)

/** Replaces a stored earlier version, from which texts are removed. */
export const updateSnapshotOfVersion = statement<{
  workspaceId: string
  id: string
  version: number
  snapshot: string
}>()((sql, p) =>
  sql
    .updateTable('record_version')
    .set({ snapshot: p.snapshot })
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.id)
    .where('version', '=', p.version),
)

const SIZES_LIMIT = 500

/** Reads all earlier versions of a record in batches that are limited in their number of bytes. */
export async function* readVersionBatches(
  db: Queries,
  key: Omit<VersionParams, 'after'>,
): AsyncGenerator<readonly RecordVersionTable[]> {
  let after = 0
  for (;;) {
    const sizes = await db.all(versionSizesAfter, { ...key, after, limit: SIZES_LIMIT })
    for (const group of groupBySize(sizes, MAX_BATCH_BYTES, ({ bytes }) => bytes)) {
      const last = group.at(-1)?.version ?? after
      yield await db.all(versionsBetween, { ...key, after, last })
      after = last
    }
    if (sizes.length < SIZES_LIMIT) return
  }
}

/** Whether a record had another end in one of its earlier versions: it was lengthened or shortened, or it has ended and was restored. */
export async function hasChangedEnd(db: Queries, record: RecordTable): Promise<boolean> {
  if (record.version === 1) return false
  const key = { workspaceId: record.workspace_id, id: record.id }
  for await (const batch of readVersionBatches(db, key))
    for (const { snapshot } of batch) {
      // A version has the values that the next one replaced, and some have all.
      const { ended = record.ended, expires_at = record.expires_at } = JSON.parse(snapshot)
      if (ended !== record.ended || expires_at !== record.expires_at) return true
    }
  return false
}

/**
 * Changes what the earlier versions of a record say. They are stored as what differs from the next one, so all are computed again.
 * @param record as it is before the same is changed in it
 * @param rewrite returns a version, or the record, as it is to be
 * @returns whether a version has changed
 */
export async function rewriteVersions(
  tx: Transaction,
  record: RecordTable,
  rewrite: (row: RecordTable) => RecordTable,
): Promise<boolean> {
  const key = { workspaceId: record.workspace_id, id: record.id }
  const versions = []
  for await (const batch of readVersionBatches(tx, key)) versions.push(...batch)
  let next = record
  let isChanged = false
  for (const { version, snapshot } of versions.reverse()) {
    const row = applyVersion(next, version, JSON.parse(snapshot))
    const rewritten = formatVersion(rewrite(row), rewrite(next))
    if (rewritten !== snapshot) {
      await tx.run(updateSnapshotOfVersion, { ...key, version, snapshot: rewritten })
      isChanged = true
    }
    next = row
  }
  return isChanged
}

/** The rows that are read at a time when versions are rebuilt: parsing them blocks other requests for a few milliseconds. */
const REBUILD_BATCH_BYTES = MAX_BATCH_BYTES / 4

/**
 * Presents the earlier versions of a record, oldest first.
 * @param after the version after which to start
 * @param limit how many are needed at most; the generator can return more
 */
export async function* presentVersions(
  db: Queries,
  record: RecordTable,
  after: number,
  limit: number,
): AsyncGenerator<RecordVersion> {
  const last = record.version - 1
  for (let start = after; start < last; ) {
    const nextComplete = (Math.floor(start / COMPLETE_VERSION_INTERVAL) + 1) * COMPLETE_VERSION_INTERVAL
    const end = Math.min(nextComplete, last)
    const needed = Math.min(end, after + limit)
    for (const [row, version] of await rebuildVersions(db, record, { start, needed, end }))
      yield presentVersion(row, version)
    if (needed < end) return
    start = end
  }
}

/** One earlier version of a record. @throws Error if it is missing */
export async function rebuildVersion(
  db: Queries,
  record: RecordTable,
  version: number,
): Promise<RecordTable> {
  const start = version - 1
  const nextComplete = Math.ceil(version / COMPLETE_VERSION_INTERVAL) * COMPLETE_VERSION_INTERVAL
  const range = { start, needed: version, end: Math.min(nextComplete, record.version - 1) }
  const [found] = await rebuildVersions(db, record, range)
  if (!found) throw new Error(`record ${record.id} has no version ${version}`)
  return found[1]
}

/** A record as it was after the last change up to a sequence of the audit log; null if it did not exist. */
export async function rebuildAtSequence(
  db: Queries,
  record: RecordTable,
  sequence: number,
): Promise<RecordTable | null> {
  if (record.sequence <= sequence) return record
  let found: RecordTable | null = null
  for (let [low, high] = [1, record.version - 1]; low <= high; ) {
    const version = await rebuildVersion(db, record, Math.floor((low + high) / 2))
    if (version.sequence <= sequence) [found, low] = [version, version.version + 1]
    else high = version.version - 1
  }
  return found
}

/**
 * Rebuilds versions, from the newest to the oldest.
 * @param range the versions after `start` up to `needed`; `end` is the next that has all values, or the one before the current
 *   record
 * @returns what is stored of each version, and the version, oldest first
 */
async function rebuildVersions(
  db: Queries,
  record: RecordTable,
  { start, needed, end }: { readonly start: number; readonly needed: number; readonly end: number },
): Promise<(readonly [RecordVersionTable, RecordTable])[]> {
  const key = { workspaceId: record.workspace_id, id: record.id }
  const sizes = await db.all(versionSizesAfter, { ...key, after: start, limit: end - start })
  const versions: (readonly [RecordVersionTable, RecordTable])[] = []
  let next = record
  let expected = end
  for (const group of [...groupBySize(sizes, REBUILD_BATCH_BYTES, ({ bytes }) => bytes)].reverse()) {
    const [first, last] = [group[0]?.version ?? 0, group.at(-1)?.version ?? 0]
    const rows = await db.all(versionsBetween, { ...key, after: first - 1, last })
    for (const row of rows.reverse()) {
      if (row.version !== expected) break
      next = applyVersion(next, row.version, JSON.parse(row.snapshot))
      if (row.version <= needed) versions.push([row, next])
      expected -= 1
    }
    await yieldToEventLoop()
  }
  if (expected !== start) throw new Error(`version ${expected} of record ${record.id} is missing`)
  return versions.reverse()
}

const presentVersion = (row: RecordVersionTable, version: RecordTable): RecordVersion => ({
  ...presentStoredRecord(version, row.replaced_at),
  replacedAt: wire.time.write(row.replaced_at),
  replacedBy: row.replaced_by,
})
