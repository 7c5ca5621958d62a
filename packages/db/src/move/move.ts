import { DataFolderError } from '../data-folder.ts'
import { DatabaseServerError } from '../database-server-error.ts'
import type { DataPlace } from '../open.ts'
import { carry, countOf, type Far, type Sum, sumUp } from './carry.ts'
import { inOrder, type Source, type Table, type Target } from './end.ts'
import { openSourceFolder, openTargetFolder } from './folder.ts'
import { refusalOf } from './mark.ts'

/** A move that is done. */
export interface Moved {
  /** The names of both ends: a folder, or a database and its server. */
  readonly from: string
  readonly to: string
  /** What was carried, the same on both sides. */
  readonly tables: readonly (Sum & { readonly table: string })[]
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
  from: DataPlace,
  to: DataPlace,
  now: () => number,
  far: (far: Far) => void,
): Promise<Moved> {
  needOther(from, to)
  const source = await openSource(from)
  try {
    const target = await openTarget(to)
    try {
      return await moveBetween(source, target, now, far)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function needOther(from: DataPlace, to: DataPlace): void {
  const isFolder = from.databaseUrl === null
  if (from.databaseUrl === to.databaseUrl && (!isFolder || from.dataDir === to.dataDir))
    throw new Error('The data lies there already. Name another place.')
}

async function openSource({ dataDir, databaseUrl }: DataPlace): Promise<Source> {
  if (databaseUrl === null) return openSourceFolder(dataDir)
  const { openSourceServer } = await import('./server.ts')
  return openSourceServer(databaseUrl)
}

async function openTarget({ dataDir, databaseUrl }: DataPlace): Promise<Target> {
  if (databaseUrl === null) return openTargetFolder(dataDir)
  const { openTargetServer } = await import('./server.ts')
  return openTargetServer(databaseUrl)
}

async function moveBetween(
  source: Source,
  target: Target,
  now: () => number,
  far: (far: Far) => void,
): Promise<Moved> {
  const id = await begin(source, target, now)
  const [from, to] = [source.words.name, target.words.name]
  try {
    const tables = await carryAll(source, target, now, far)
    await source.needAlone()
    // First the source can be served no more, then the target can be: never both.
    const doneAt = now()
    await source.setMark({ id, role: 'from', other: to, doneAt })
    await target.setMark({ id, role: 'to', other: from, doneAt })
    return { from, to, tables, keptAside: await target.arrive(doneAt) }
  } catch (error) {
    if (error instanceof DataFolderError || error instanceof DatabaseServerError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The move broke off (${why}). Run it again: it goes on where it stopped.`, {
      cause: error,
    })
  }
}

/** Marks both ends, or finds them marked by the run that this one goes on from. @returns the id of the move */
async function begin(source: Source, target: Target, now: () => number): Promise<string> {
  const [left, arriving] = [await source.mark(), await target.mark()]
  const isSame = left?.role === 'from' && left.id === arriving?.id
  const refusal = isSame ? null : refusalOf(left, source.words)
  if (refusal !== null) throw source.refusal(refusal)
  if (target.occupied !== null) throw target.refusal(target.occupied)
  if (arriving !== null && !isSame) throw target.refusal(ofAnotherMove(source, target))
  await source.needAlone()
  await source.migrate(now)
  if (isSame) {
    // It may have been cut off in its last steps; until those are done again, the source is the one that can be served.
    await target.setMark({ ...arriving, doneAt: null })
    await source.setMark({ ...left, doneAt: null })
    await source.needAlone()
    return left.id
  }
  const mark = { id: crypto.randomUUID(), doneAt: null }
  await source.setMark({ ...mark, role: 'from', other: target.words.name })
  // Whoever came before the mark is seen now, and who comes after it sees the mark.
  await source.needAlone()
  await target.begin({ ...mark, role: 'to', other: source.words.name })
  return mark.id
}

const ofAnotherMove = (source: Source, { words: { name, giveUp } }: Target): string =>
  `What lies half moved in ${name} is not of ${source.words.name}, or that was in use since the move was begun. To begin ` +
  `anew, ${giveUp}, and run this again.`

async function carryAll(
  source: Source,
  target: Target,
  now: () => number,
  far: (far: Far) => void,
): Promise<Moved['tables']> {
  await target.migrate(now)
  // The moments at which the schema was made stay those of the source: backups tell instances apart by them.
  for (const [name, at] of await source.rows('select name, applied_at from migration', []))
    await target.rows('update migration set applied_at = $1 where name = $2', [at, name])
  const tables = inOrder(await target.tables())
  for (const table of tables) await carry(source, target, table, far)
  const sums: (Sum & { table: string })[] = []
  for (const table of tables) sums.push({ table: table.name, ...(await compare(source, target, table, far)) })
  return sums
}

/** @throws Error where a table is not the same on both sides */
async function compare(source: Source, target: Target, table: Table, far: (far: Far) => void): Promise<Sum> {
  const of = await countOf(source, table)
  const tell = (rows: number) => far({ doing: 'compare', table: table.name, rows, of })
  tell(0)
  const [here, there] = await Promise.all([sumUp(source, table, tell), sumUp(target, table, () => {})])
  if (here.rows === there.rows && here.sha256 === there.sha256) return here
  const { name, giveUp } = target.words
  throw target.refusal(
    `The table ${table.name} is not the same on both sides: ${here.rows} rows with the checksum ${here.sha256} in ` +
      `${source.words.name}, ${there.rows} with ${there.sha256} in ${name}. The source can be used as before; to begin ` +
      `anew, ${giveUp}, and run this again.`,
  )
}
