import { verifyAudit } from '@reeve/audit'
import { createTestClock } from '../support/clock.ts'
import type { EngineName } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { readStoredRows } from '../support/stored-rows.ts'
import { createNormalizer } from './normalize.ts'
import type { NormalizedResponse, Operation } from './operation.ts'

/** When the twins' clock begins: the same in every run, so that a seed repeats all of it. */
const START = Date.UTC(2031, 1, 27, 21, 30)
/** Low enough that a flurry of calls meets it. */
const RATES = { keyRatePerMinute: 120, sessionRatePerMinute: 180 }
/** Fields of a head that tell how long a body is, and when it went out. */
const IGNORED_HEADERS = ['content-length', 'date']
/** Bodies that are packed from ids. */
const ARCHIVE_CONTENT_TYPE = 'application/zstd'
/** Tables of which no two instances share a row: when each was made, and what is packed from its ids. */
const IGNORED_TABLES = ['migration', 'archive_part']

/** One instance, and the words for what it makes. */
async function openEngine(engine: EngineName) {
  const clock = createTestClock(START)
  const instance = await openInstance({ engine, clock, ...RATES })
  const { normalize, normalizeKnown, restore } = createNormalizer()

  async function execute(operation: Operation): Promise<NormalizedResponse> {
    const { method, path, query, body, key, session, headers, advanceMs, flushFirst } = operation
    clock.advance(advanceMs)
    if (flushFirst) await instance.flush()
    const restoreFields = (fields: Operation['query']) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, restore(value)]))
    const search = new URLSearchParams(restoreFields(query))
    const response = await instance.request(
      method,
      `${restore(path)}${search.size > 0 ? `?${search}` : ''}`,
      {
        headers: restoreFields(headers),
        ...(body === undefined
          ? {}
          : { body: restore(typeof body === 'string' ? body : JSON.stringify(body)) }),
        ...(key === undefined ? {} : { key: restore(key) }),
        ...(session === undefined ? {} : { session: restore(session) }),
      },
    )
    const lines = [...response.headers].map(([name, value]) => `${name}: ${normalize(value)}`)
    return {
      status: response.status,
      head: lines.filter((line) => !IGNORED_HEADERS.some((name) => line.startsWith(`${name}:`))).join('\n'),
      text: response.headers.get('content-type') === ARCHIVE_CONTENT_TYPE ? '' : normalize(response.text),
    }
  }

  /** Every row that is stored, with its table, in an order that does not depend on what is made at random. */
  async function readRows(): Promise<string[]> {
    const tables = Object.entries(await readStoredRows(instance)).filter(
      ([name]) => !IGNORED_TABLES.includes(name),
    )
    return tables.flatMap(([name, lines]) => lines.map((line) => `${name} ${normalizeKnown(line)}`)).sort()
  }

  return { instance, normalize, execute, readRows }
}

/** Two answers to one operation that are not the same. */
export class ResponseMismatch extends Error {
  constructor(readonly responses: { readonly SQLite: unknown; readonly PostgreSQL: unknown }) {
    super('the engines differ')
  }
}

function assertSame<Value>(SQLite: Value, PostgreSQL: Value): Value {
  if (!Bun.deepEquals(SQLite, PostgreSQL)) throw new ResponseMismatch({ SQLite, PostgreSQL })
  return SQLite
}

/** An instance on each engine, by clocks that are moved alike. */
export async function openEnginePair() {
  const [sqlite, postgres] = await Promise.all([openEngine('SQLite'), openEngine('PostgreSQL')])

  return {
    /** Epoch milliseconds of both. */
    now: (): number => sqlite.instance.clock.now(),
    /** Makes one call of both. @throws Difference where they answer another thing */
    async execute(operation: Operation): Promise<NormalizedResponse> {
      return assertSame(await sqlite.execute(operation), await postgres.execute(operation))
    },
    /** Does something with both, past the interface. @returns what came of it, leveled */
    async runOnBoth<Result>(step: (instance: Instance) => Promise<Result>): Promise<Result> {
      const runOn = async ({ instance, normalize }: typeof sqlite) =>
        normalize(JSON.stringify(await step(instance)))
      return JSON.parse(assertSame(await runOn(sqlite), await runOn(postgres)))
    },
    /** What is stored past the interface in one of them alone. */
    async findStoredDifferences(): Promise<string[]> {
      const [sqliteRows, postgresRows] = await Promise.all([sqlite.readRows(), postgres.readRows()])
      const rowsOnlyOn = (engineRows: string[], otherRows: string[], engine: string) =>
        [...new Set(engineRows).difference(new Set(otherRows))].map(
          (row) => `stored on ${engine} alone: ${row}`,
        )
      return [
        ...rowsOnlyOn(sqliteRows, postgresRows, 'SQLite'),
        ...rowsOnlyOn(postgresRows, sqliteRows, 'PostgreSQL'),
      ]
    },
    /** What neither instance may have: errors of its own, and an audit chain that is not whole. */
    async findFaults(): Promise<string[]> {
      const engineRows = await Promise.all(
        [sqlite, postgres].map(async ({ instance }) => {
          const { faults: findFaults } = await verifyAudit(instance.db.read)
          return [
            ...instance.unexpectedErrors.map(String),
            ...findFaults.map((fault) => JSON.stringify(fault)),
          ]
        }),
      )
      return engineRows.flat()
    },
    close: async () => {
      await Promise.all([sqlite.instance.close(), postgres.instance.close()])
    },
  }
}

export type EnginePair = Awaited<ReturnType<typeof openEnginePair>>
