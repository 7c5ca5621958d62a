import type { DataLocation } from '../database.ts'
import { DatabaseServerError } from '../errors.ts'
import { toMovedReason } from '../moved-marker.ts'
import { DataFolderError } from '../sqlite/folder-access.ts'
import {
  checksumTable,
  copyTable,
  countRows,
  type MoveProgress,
  type MoveWait,
  type TableChecksum,
} from './copy-table.ts'
import { type MoveSource, type MoveTarget, sortByReferences, type Table } from './endpoint.ts'
import { openSourceFolder, openTargetFolder } from './folder-endpoint.ts'

export type { MoveProgress, MoveWait }

/** The result of a complete move. */
export interface MoveResult {
  /** The names of both locations: a folder, or a database and its server. */
  readonly from: string
  readonly to: string
  /** The copied tables, identical on both sides. */
  readonly tables: readonly (TableChecksum & { readonly table: string })[]
  /** The path of the database that the data replaced; null where there was none. */
  readonly keptAside: string | null
}

/**
 * Moves all data of an instance to another location, which must be empty or have an incomplete copy of the same move: then
 * the move resumes. Copies and compares all tables, and then marks the source as moved, so that only the target can be used.
 * Deletes nothing from the source.
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError; Error with a message for the user. The target cannot be
 *   used then
 */
export async function moveData(
  from: DataLocation,
  to: DataLocation,
  now: () => number,
  onProgress: (progress: MoveProgress | MoveWait) => void,
): Promise<MoveResult> {
  assertDifferentLocation(from, to)
  const onWait = (reason: string) => onProgress({ phase: 'wait', reason })
  const source = await openSource(from, onWait)
  try {
    const target = await openTarget(to, onWait)
    try {
      return await moveBetween(source, target, now, onProgress)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function assertDifferentLocation(from: DataLocation, to: DataLocation): void {
  const isFolder = from.databaseUrl === null
  if (from.databaseUrl === to.databaseUrl && (!isFolder || from.dataDir === to.dataDir))
    throw new Error('The data is there already. Choose another location.')
}

async function openSource(
  { dataDir, databaseUrl }: DataLocation,
  onWait: (reason: string) => void,
): Promise<MoveSource> {
  if (databaseUrl === null) return openSourceFolder(dataDir)
  const { openSourceServer } = await import('./server-endpoint.ts')
  return openSourceServer(databaseUrl, onWait)
}

async function openTarget(
  { dataDir, databaseUrl }: DataLocation,
  onWait: (reason: string) => void,
): Promise<MoveTarget> {
  if (databaseUrl === null) return openTargetFolder(dataDir)
  const { openTargetServer } = await import('./server-endpoint.ts')
  return openTargetServer(databaseUrl, onWait)
}

async function moveBetween(
  source: MoveSource,
  target: MoveTarget,
  now: () => number,
  onProgress: (progress: MoveProgress) => void,
): Promise<MoveResult> {
  const id = await begin(source, target, now)
  const [from, to] = [source.labels.name, target.labels.name]
  try {
    const tables = await copyAllTables(source, target, now, onProgress)
    // Before the markers, after which the target can be used although the move was killed.
    await target.continueNumbers()
    await source.assertExclusive()
    // The source first: at no time can both be used.
    const doneAt = now()
    await source.setMarker({ id, role: 'from', other: to, doneAt })
    await target.setMarker({ id, role: 'to', other: from, doneAt })
    return { from, to, tables, keptAside: await target.activate(doneAt) }
  } catch (error) {
    if (error instanceof DataFolderError || error instanceof DatabaseServerError) throw error
    const errorMessage = error instanceof Error ? error.message : String(error)
    throw new Error(`The move failed (${errorMessage}). Run it again to resume it.`, {
      cause: error,
    })
  }
}

/** Marks both sides, or finds the markers of the run to resume. @returns the id of the move */
async function begin(source: MoveSource, target: MoveTarget, now: () => number): Promise<string> {
  const [sourceMarker, targetMarker] = [await source.marker(), await target.marker()]
  const isResumed = sourceMarker?.role === 'from' && sourceMarker.id === targetMarker?.id
  const movedReason = isResumed ? null : toMovedReason(sourceMarker, source.labels)
  if (movedReason !== null) throw source.createError(movedReason)
  if (target.notEmptyReason !== null) throw target.createError(target.notEmptyReason)
  if (targetMarker !== null && !isResumed) throw target.createError(otherMoveMessage(source, target))
  await source.assertExclusive()
  await source.migrate(now)
  if (isResumed) {
    // The earlier run may have stopped in its last steps. Until they are repeated, only the source can be used.
    await target.setMarker({ ...targetMarker, doneAt: null })
    await source.setMarker({ ...sourceMarker, doneAt: null })
    await source.assertExclusive()
    return sourceMarker.id
  }
  const newMarker = { id: crypto.randomUUID(), doneAt: null }
  await source.setMarker({ ...newMarker, role: 'from', other: target.labels.name })
  // A process that started before the marker was set is detected now; a later one reads the marker.
  await source.assertExclusive()
  await target.begin({ ...newMarker, role: 'to', other: source.labels.name })
  return newMarker.id
}

const otherMoveMessage = (source: MoveSource, { labels: { name, abandonInstruction } }: MoveTarget): string =>
  `The incomplete copy in ${name} is not from ${source.labels.name}, or that was in use after the move began. To start ` +
  `over, ${abandonInstruction}, and run this command again.`

async function copyAllTables(
  source: MoveSource,
  target: MoveTarget,
  now: () => number,
  onProgress: (progress: MoveProgress) => void,
): Promise<MoveResult['tables']> {
  await target.migrate(now)
  // The times of the migrations stay those of the source, because backups identify an instance by them.
  for (const [name, at] of await source.query('select name, applied_at from migration', []))
    await target.query('update migration set applied_at = $1 where name = $2', [at, name])
  const tables = sortByReferences(await target.listTables())
  for (const table of tables) await copyTable(source, target, table, onProgress)
  const checksums: (TableChecksum & { table: string })[] = []
  for (const table of tables)
    checksums.push({ table: table.name, ...(await compareTable(source, target, table, onProgress)) })
  return checksums
}

/** @throws Error where a table differs between both sides */
async function compareTable(
  source: MoveSource,
  target: MoveTarget,
  table: Table,
  onProgress: (progress: MoveProgress) => void,
): Promise<TableChecksum> {
  const total = await countRows(source, table)
  const report = (rows: number) => onProgress({ phase: 'compare', table: table.name, rows, total })
  report(0)
  const [sourceChecksum, targetChecksum] = await Promise.all([
    checksumTable(source, table, report),
    checksumTable(target, table, () => {}),
  ])
  if (sourceChecksum.rows === targetChecksum.rows && sourceChecksum.sha256 === targetChecksum.sha256)
    return sourceChecksum
  const { name, abandonInstruction } = target.labels
  throw target.createError(
    `The table ${table.name} differs: ${sourceChecksum.rows} rows with the checksum ${sourceChecksum.sha256} in ` +
      `${source.labels.name}, ${targetChecksum.rows} with ${targetChecksum.sha256} in ${name}. The source is unchanged. To start over, ` +
      `${abandonInstruction}, and run this command again.`,
  )
}
