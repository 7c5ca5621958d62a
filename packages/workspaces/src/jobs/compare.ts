import { loadActor } from '@reeve/auth'
import { LOWEST_ID } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import type { ContentTable } from '../archive/content-definition.ts'
import type { Row } from '../archive/content-statements.ts'
import { storeImages, tableByKind } from '../archive/convert-rows.ts'
import { createErasedPlayerLookup } from '../archive/erased-players.ts'
import { isEvidenceKind, prepareEvidence } from '../archive/evidence.ts'
import { findExistingAppeals } from '../archive/existing-appeals.ts'
import {
  type ArchiveKey,
  type ArchivePosition,
  archiveDamagedError,
  CONTENT_START,
  countSlices,
  type LineBatch,
  readLines,
} from '../archive/reader.ts'
import { leaveOutErased, redactVersions } from '../archive/redactions.ts'
import { assertCanRollBack } from '../can-roll-back.ts'
import { requireJobArchive } from './checksum.ts'
import {
  type Change,
  type ComparedTable,
  type ComparisonContext,
  type CurrentRow,
  comparedEvents,
  comparedRecords,
} from './compare-rows.ts'
import type { JobContext, RunStep } from './job-context.ts'
import { readStagedMemberships } from './staged-memberships.ts'
import { insertStagedRow, stagedTargets } from './staged-rows.ts'

/** How far the current rows of a table have been compared. */
interface Cursor {
  readonly after: string | null
  readonly isComplete: boolean
}

interface ComparePosition extends ArchivePosition, Readonly<Record<'record' | 'event', Cursor>> {
  /** The number of the next change. */
  readonly number: number
}

const START: ComparePosition = {
  ...CONTENT_START,
  number: 0,
  record: { after: null, isComplete: false },
  event: { after: null, isComplete: false },
}

interface Comparison extends ComparisonContext {
  position: ComparePosition
  /** Saves the changes that were found, and how far the archive and the tables have been compared. */
  readonly save: (
    changes: readonly Change[],
    next: Partial<ComparePosition>,
    /** Stores what is needed whatever becomes of the changes. */
    store?: (tx: Transaction) => Promise<void>,
  ) => Promise<void>
}

/**
 * Compares the archive with the current content, and stores the differences. Both are in the order of their IDs, so they are
 * merged. A record whose sequence is the same is the same, because every change assigns a new one; only a roll-back that failed
 * has taken away its source without one.
 */
export const compareContent: RunStep = async (context) => {
  const { db, job, ports } = context
  const archive = await requireJobArchive(db.read, context)
  const comparison = await openComparison(context, archive)
  for await (const batch of readLines(db.read, archive, comparison.position)) {
    if (batch.kind === 'records') await mergeBatch(comparison, comparedRecords, batch)
    else if (batch.kind === 'events') await mergeBatch(comparison, comparedEvents, batch)
    else await stageBatch(comparison, batch)
  }
  await deleteRest(comparison, comparedRecords)
  await deleteRest(comparison, comparedEvents)
  // Rejects a damaged archive before anything changes.
  await readStagedMemberships(context)
  return async (tx) => {
    const actor = await loadActor(tx, ports, job)
    assertCanRollBack(actor)
  }
}

async function openComparison(context: JobContext, archive: ArchiveKey): Promise<Comparison> {
  const { job, db, ports } = context
  const total = await countSlices(db.read, archive)
  const comparison: Comparison = {
    context,
    findErased: await createErasedPlayerLookup(db.read, ports, archive),
    position: context.readPosition<ComparePosition>() ?? START,
    async save(changes, next, store) {
      const first = comparison.position.number
      const position = { ...comparison.position, ...next, number: first + changes.length }
      await context.save({ position, done: position.part, total, has_staged_rows: 1 }, async (tx) => {
        await store?.(tx)
        for (const [index, change] of changes.entries()) {
          const key = { workspace_id: job.workspace_id, job_id: job.id, number: first + index }
          await tx.run(insertStagedRow, { ...key, ...change })
        }
      })
      comparison.position = position
    },
  }
  return comparison
}

/** Stores the rows of the tables that are replaced as a whole, the versions of changed records, and images. */
async function stageBatch(comparison: Comparison, { kind, rows, next }: LineBatch): Promise<void> {
  const { context, findErased } = comparison
  const { db, job, ports } = context
  if (kind === 'media') return comparison.save([], next, (tx) => storeImages(tx, rows))
  if (isEvidenceKind(kind)) {
    const { workspace_id: workspaceId } = job
    const restore = await prepareEvidence(db.read, kind, rows, {
      source: workspaceId,
      workspaceId,
      now: ports.now(),
    })
    return comparison.save([], next, restore)
  }
  const table = tableByKind.get(kind)
  if (table === undefined) throw archiveDamagedError()
  const select = selections[table]
  const selected = select ? await select(comparison, rows) : rows
  const staged = await leaveOutErased(db.read, job.workspace_id, table, selected, findErased)
  await comparison.save(
    staged.map((row) => ({
      kind,
      user_id: null,
      target_id: table === 'appeal' ? String(row.id) : null,
      data: JSON.stringify(row),
    })),
    next,
  )
}

/** Which archived rows of a table a roll-back restores; all of them without an entry. */
const selections: {
  readonly [Table in ContentTable]?: (comparison: Comparison, rows: readonly Row[]) => Promise<readonly Row[]>
} = {
  record_version: selectChangedVersions,
  // Appeals stay as they are, and those of records that a roll-back deletes are deleted with them: it brings back those that do not exist.
  appeal: async ({ context: { db, job } }, rows) => {
    const ids = rows.map((row) => String(row.id))
    const existing = await findExistingAppeals(db.read, job.workspace_id, ids)
    return rows.filter((row) => !existing.has(row.id))
  },
  appeal_message: (comparison, rows) => selectStaged(comparison, rows, 'appeal_id'),
}

/** The rows that belong to something which the roll-back inserts or replaces. */
async function selectStaged(
  { context: { db, job } }: Comparison,
  rows: readonly Row[],
  column: 'record_id' | 'appeal_id',
): Promise<readonly Row[]> {
  const ids = [...new Set(rows.map((row) => String(row[column])))]
  const staged = await db.read.all(stagedTargets, { workspaceId: job.workspace_id, jobId: job.id, ids })
  const stagedIds = new Set<unknown>(staged.map(({ target_id }) => target_id))
  return rows.filter((row) => stagedIds.has(row[column]))
}

async function selectChangedVersions(comparison: Comparison, rows: readonly Row[]): Promise<readonly Row[]> {
  const { context, findErased } = comparison
  const staged = await selectStaged(comparison, rows, 'record_id')
  return redactVersions(context.db.read, context.job.workspace_id, staged, findErased)
}

/** Compares a batch of the archive with the current rows up to its last one. */
async function mergeBatch<Current extends CurrentRow>(
  comparison: Comparison,
  compared: ComparedTable<Current>,
  batch: LineBatch,
): Promise<void> {
  const last = String(batch.rows.at(-1)?.id)
  for (;;) {
    const { after } = comparison.position[compared.table]
    const current = await readCurrent(comparison, compared)
    const lastCurrent = current.at(-1)?.id
    // More current rows come before the last archived one.
    const hasMore = current.length === compared.rowsPerRead && lastCurrent !== undefined && lastCurrent < last
    const bound = hasMore ? lastCurrent : last
    const archived = batch.rows.filter((row) => {
      const id = String(row.id)
      return id <= bound && (after === null || id > after)
    })
    const existing = current.filter(({ id }) => id <= bound)
    const changes = await compared.compare(comparison, archived, existing)
    await comparison.save(changes, {
      ...(hasMore ? {} : batch.next),
      [compared.table]: { after: bound, isComplete: false },
    })
    if (!hasMore) return
  }
}

/** Marks the current rows after the last archived one as deleted. */
async function deleteRest<Current extends CurrentRow>(
  comparison: Comparison,
  compared: ComparedTable<Current>,
): Promise<void> {
  while (!comparison.position[compared.table].isComplete) {
    const current = await readCurrent(comparison, compared)
    const { after } = comparison.position[compared.table]
    const cursor: Cursor = {
      after: current.at(-1)?.id ?? after,
      isComplete: current.length < compared.rowsPerRead,
    }
    await comparison.save(current.map(compared.toDeletion), { [compared.table]: cursor })
  }
}

function readCurrent<Current extends CurrentRow>(
  { context: { db, job }, position }: Comparison,
  { table, currentRows, rowsPerRead }: ComparedTable<Current>,
): Promise<readonly Current[]> {
  const { after } = position[table]
  return db.read.all(currentRows, {
    workspaceId: job.workspace_id,
    after: after ?? LOWEST_ID,
    limit: rowsPerRead,
  })
}
