import type { DataLocation } from '../database.ts'
import { DatabaseServerError } from '../errors.ts'
import { toMovedReason } from '../moved-marker.ts'
import { DataFolderError } from '../sqlite/data-folder.ts'
import { checksumTable, copyTable, countRows, type MoveProgress, type TableChecksum } from './copy-table.ts'
import { type MoveSource, type MoveTarget, sortByReferences, type Table } from './endpoint.ts'
import { openSourceFolder, openTargetFolder } from './folder-endpoint.ts'

export type { MoveProgress }

/** A move that is done. */
export interface MoveResult {
  /** The names of both ends: a folder, or a database and its server. */
  readonly from: string
  readonly to: string
  /** What was carried, the same on both sides. */
  readonly tables: readonly (TableChecksum & { readonly table: string })[]
  /** Where that is kept which the data took the place of; null where there was none. */
  readonly keptAside: string | null
}

/**
 * Moves all the data of an instance to another place, which holds nothing yet or a half of this very move. What is there
 * already tells where it goes on after a break. When both sides hold the same, the source is marked, so that it is not served
 * any more; only then can the target be. Nothing of the source is removed.
 * @param far is told how far it is
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError; Error with a sentence. The target cannot be served then
 */
export async function moveData(
  from: DataLocation,
  to: DataLocation,
  now: () => number,
  onProgress: (onProgress: MoveProgress) => void,
): Promise<MoveResult> {
  assertDifferentLocation(from, to)
  const source = await openSource(from)
  try {
    const target = await openTarget(to)
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
    throw new Error('The data lies there already. Name another place.')
}

async function openSource({ dataDir, databaseUrl }: DataLocation): Promise<MoveSource> {
  if (databaseUrl === null) return openSourceFolder(dataDir)
  const { openSourceServer } = await import('./server-endpoint.ts')
  return openSourceServer(databaseUrl)
}

async function openTarget({ dataDir, databaseUrl }: DataLocation): Promise<MoveTarget> {
  if (databaseUrl === null) return openTargetFolder(dataDir)
  const { openTargetServer } = await import('./server-endpoint.ts')
  return openTargetServer(databaseUrl)
}

async function moveBetween(
  source: MoveSource,
  target: MoveTarget,
  now: () => number,
  onProgress: (onProgress: MoveProgress) => void,
): Promise<MoveResult> {
  const id = await begin(source, target, now)
  const [from, to] = [source.labels.name, target.labels.name]
  try {
    const tables = await copyAllTables(source, target, now, onProgress)
    await source.assertExclusive()
    // First the source can be served no more, then the target can be: never both.
    const doneAt = now()
    await source.setMarker({ id, role: 'from', other: to, doneAt })
    await target.setMarker({ id, role: 'to', other: from, doneAt })
    return { from, to, tables, keptAside: await target.activate(doneAt) }
  } catch (error) {
    if (error instanceof DataFolderError || error instanceof DatabaseServerError) throw error
    const errorMessage = error instanceof Error ? error.message : String(error)
    throw new Error(`The move broke off (${errorMessage}). Run it again: it goes on where it stopped.`, {
      cause: error,
    })
  }
}

/** Marks both ends, or finds them marked by the run that this one goes on from. @returns the id of the move */
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
    // It may have been cut off in its last steps; until those are done again, the source is the one that can be served.
    await target.setMarker({ ...targetMarker, doneAt: null })
    await source.setMarker({ ...sourceMarker, doneAt: null })
    await source.assertExclusive()
    return sourceMarker.id
  }
  const newMarker = { id: crypto.randomUUID(), doneAt: null }
  await source.setMarker({ ...newMarker, role: 'from', other: target.labels.name })
  // Whoever came before the mark is seen now, and who comes after it sees the mark.
  await source.assertExclusive()
  await target.begin({ ...newMarker, role: 'to', other: source.labels.name })
  return newMarker.id
}

const otherMoveMessage = (source: MoveSource, { labels: { name, abandonInstruction } }: MoveTarget): string =>
  `What lies half moved in ${name} is not of ${source.labels.name}, or that was in use since the move was begun. To begin ` +
  `anew, ${abandonInstruction}, and run this again.`

async function copyAllTables(
  source: MoveSource,
  target: MoveTarget,
  now: () => number,
  onProgress: (onProgress: MoveProgress) => void,
): Promise<MoveResult['tables']> {
  await target.migrate(now)
  // The moments at which the schema was made stay those of the source: backups tell instances apart by them.
  for (const [name, at] of await source.query('select name, applied_at from migration', []))
    await target.query('update migration set applied_at = $1 where name = $2', [at, name])
  const tables = sortByReferences(await target.listTables())
  for (const table of tables) await copyTable(source, target, table, onProgress)
  const checksums: (TableChecksum & { table: string })[] = []
  for (const table of tables)
    checksums.push({ table: table.name, ...(await compareTable(source, target, table, onProgress)) })
  return checksums
}

/** @throws Error where a table is not the same on both sides */
async function compareTable(
  source: MoveSource,
  target: MoveTarget,
  table: Table,
  onProgress: (onProgress: MoveProgress) => void,
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
    `The table ${table.name} is not the same on both sides: ${sourceChecksum.rows} rows with the checksum ${sourceChecksum.sha256} in ` +
      `${source.labels.name}, ${targetChecksum.rows} with ${targetChecksum.sha256} in ${name}. The source can be used as before; to begin ` +
      `anew, ${abandonInstruction}, and run this again.`,
  )
}
