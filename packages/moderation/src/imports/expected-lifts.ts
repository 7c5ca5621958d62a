import { AppError, type Platforms } from '@reeve/core'
import { createTimeSlicer, type ImportTable, statement } from '@reeve/db'
import { createHeartbeat } from './claim.ts'
import type { ImportDependencies } from './dependencies.ts'
import type { ImportedColumns } from './entry.ts'
import type { ForeignRecord, Lift } from './formats/format.ts'
import { type ImportContext, loadImporter } from './importer.ts'
import { decideLift, findImported, findLifted, type LiftColumns, toLiftColumns, toNoteLift } from './lifts.ts'
import { readImportFile } from './read-file.ts'
import { readItem } from './read-item.ts'
import type { SharedIds } from './source-ids.ts'

const anyOfSource = statement<{ workspaceId: string; source: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('record')
    .select('case_number')
    .where('workspace_id', '=', p.workspaceId)
    .where('source', '=', p.source)
    .limit(1),
)

/** How a file ends a record of an earlier import. */
export interface ExpectedLift {
  readonly columns: LiftColumns
  /** Whether the player has a new sanction further down: the record ends when that begins, so that the player is not free in between. */
  isFollowed: boolean
}

/** The records of earlier imports that the file of an import ends, by their ids. They are in memory until it has ended. */
export type ExpectedLifts = ReadonlyMap<string, ExpectedLift>

const MAX_EXPECTED_LIFTS = 200_000

/**
 * Reads the file for what it ends of earlier imports, before any entry is applied: a sanction can be replaced in the other tool, and the new one
 * can come first in the file.
 */
export async function findExpectedLifts(
  dependencies: ImportDependencies,
  row: ImportTable,
  platforms: Platforms,
  sharedIds: SharedIds,
): Promise<ExpectedLifts> {
  const { db, ports } = dependencies
  const expected = new Map<string, ExpectedLift>()
  /** The last of each player and action, as the file writes them. */
  const lastLifts = new Map<string, ExpectedLift>()
  const { workspace_id: workspaceId, source } = row
  if (!(await db.read.first(anyOfSource, { workspaceId, source }))) return expected
  const actor = await loadImporter(db.read, ports, row, platforms)
  const keepImport = createHeartbeat(dependencies, () => row)
  const yieldIfDue = createTimeSlicer()
  let number = 0
  for await (const item of readImportFile(db, row, { bytes: 0 }, keepImport)) {
    await keepImport()
    number += 1
    await yieldIfDue()
    if (!('record' in item)) continue
    const context = { db: db.read, actor, row, now: ports.now() }
    const key = `${item.record.action} ${item.record.userId}`
    const lastLift = lastLifts.get(key)
    if (canLift(item.record)) {
      const { columns, lifts } = await readItem(context, { ...item, number }, sharedIds)
      const lift = columns && (await addExpectedLifts(context, columns, lifts, expected))
      if (lift) lastLifts.set(key, lift)
    } else if (lastLift && isCurrent(item.record, context.now)) {
      const { columns } = await readItem(context, { ...item, number }, sharedIds)
      if (columns && !(await findImported(db.read, row, columns))) lastLift.isFollowed = true
    }
  }
  return expected
}

const canLift = ({ isLifted, isInactive, isReplaced, lifts }: ForeignRecord): boolean =>
  isLifted || isInactive || isReplaced || lifts !== null

const isCurrent = ({ expiresAt }: ForeignRecord, now: number): boolean =>
  expiresAt === null || expiresAt > now

/**
 * Adds the records that an entry ends.
 * @returns the end of the record that an earlier import has brought for the entry itself; undefined if it does not end
 * @throws AppError `conflict` for more than memory should hold
 */
async function addExpectedLifts(
  context: ImportContext,
  columns: ImportedColumns,
  lifts: Lift | null,
  expected: Map<string, ExpectedLift>,
): Promise<ExpectedLift | undefined> {
  const { db, row } = context
  const imported = await findImported(db, row, columns)
  if (imported) {
    const lift = await decideLift(context, imported, columns, expected)
    if (lift === 'lifted') expected.set(imported.id, { columns: toLiftColumns(columns), isFollowed: false })
  } else if (lifts !== null) {
    for (const { id } of await findLifted(context, columns, lifts))
      if (!expected.has(id)) expected.set(id, { columns: toNoteLift(row, columns), isFollowed: false })
  }
  if (expected.size > MAX_EXPECTED_LIFTS)
    throw new AppError('conflict', {
      message: `The file lifts more than ${MAX_EXPECTED_LIFTS} bans and mutes of earlier imports. Split it by players.`,
    })
  return imported && expected.get(imported.id)
}
