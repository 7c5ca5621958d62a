import { Kysely, PostgresDialect } from 'kysely'
import type { Change, Database, Queries } from '../database.ts'
import type { Statement } from '../statement.ts'
import { unavailable } from '../storage-failure.ts'
import type { Tables } from '../tables/index.ts'
import { type Route, readingPool, writingPool } from './connections.ts'
import { hear, notifying } from './hearing.ts'
import { lookupsOn } from './lookups.ts'
import { namedStatements, runOn } from './statements.ts'
import { isTrouble, mayGoBetter } from './trouble.ts'
import { turnsByKey } from './turns.ts'
import { unitRunner } from './units.ts'

/** How long the server may take to say that it is there. */
const PING_MS = 2000

/** What goes to other processes: a change, which the process that made it has told its own listeners, or a line. */
interface Told {
  readonly by: string
  readonly change?: Change
  readonly line?: string
}

/** Null for what another version, or somebody else, has told: then anything may have changed. */
function readTold(line: string): Told | null {
  try {
    const told = JSON.parse(line) as Partial<Told> | null
    const isKnown = typeof told?.change?.kind === 'string' || typeof told?.line === 'string'
    return typeof told?.by === 'string' && isKnown ? (told as Told) : null
  } catch {
    return null
  }
}

/**
 * The database of a server. The schema must be migrated already.
 * @param url leads to the server itself: no pooler hands on what it tells those who listen
 * @param calls where reads and units go
 */
export async function postgresDatabase(url: string, calls: Route, engine: string): Promise<Database> {
  const reading = readingPool(calls)
  const pool = writingPool(calls)
  const lookups = calls.isPooled ? null : lookupsOn(url)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reading }) })
  const named = namedStatements(kysely, !calls.isPooled)
  const listeners = new Set<(change: Change) => void>()
  const lineListeners = new Set<(line: string) => void>()
  const gapListeners = new Set<(isOver: boolean) => void>()
  const by = crypto.randomUUID()

  const tell = (change: Change) => {
    for (const listener of listeners) listener(change)
  }
  const missed = (isOver: boolean) => {
    for (const listener of gapListeners) listener(isOver)
  }
  const heard = (line: string) => {
    const told = readTold(line)
    if (told === null) missed(true)
    else if (told.by !== by) {
      if (told.change) tell(told.change)
      if (told.line !== undefined) for (const listener of lineListeners) listener(told.line)
    }
  }
  const stopHearing = await hear(url, heard, missed)
  const units = unitRunner(
    {
      pool,
      named,
      turn: turnsByKey(),
      telling: (changes) => notifying(changes.map((change) => JSON.stringify({ by, change } satisfies Told))),
    },
    (changes) => changes.forEach(tell),
  )

  const rowsOf = async <Params, Row>(made: Statement<Params, Row>, params: Params): Promise<Row[]> => {
    const statement = named(made as Statement<never, unknown>)
    if (statement.compiled.changes) throw new TypeError('reading is read-only')
    const values = statement.compiled.values(params as Readonly<Record<string, unknown>>)
    const alone = () => runOn(reading, statement, values)
    try {
      if (made.isLookup && lookups) return (await lookups.run(statement, values)).rows
      // A connection that turns out to be of no use any more is not used again: another one may be.
      const answer = await alone().catch((error: unknown) => {
        if (mayGoBetter(error)) return alone()
        throw error
      })
      return answer.rows
    } catch (error) {
      throw isTrouble(error) ? unavailable(error) : error
    }
  }
  const read: Queries = {
    first: async (made, params) => (await rowsOf(made, params))[0],
    all: rowsOf,
  }

  return {
    read,
    write: units.write,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onGap(listener) {
      gapListeners.add(listener)
      return () => gapListeners.delete(listener)
    },
    isShared: true,
    async tellOthers(lines) {
      await reading.query(
        notifying(lines.map((line) => JSON.stringify({ by, line } satisfies Told))).join('; '),
      )
    },
    onTold(listener) {
      lineListeners.add(listener)
      return () => lineListeners.delete(listener)
    },
    figures: units.figures,
    async room() {
      const { rows } = await reading.query('select pg_database_size(current_database()) as bytes')
      return { bytes: Number(rows[0]?.bytes ?? 0), disk: null }
    },
    engine: () => engine,
    broken: new Promise(() => {}),
    async ping() {
      const late = Bun.sleep(PING_MS).then(() => Promise.reject(new Error('the database says nothing')))
      await Promise.race([reading.query('select 1'), late])
    },
    async close() {
      await units.idle()
      await stopHearing()
      await Promise.all([lookups?.end(), reading.end(), pool.end()])
    },
  }
}
