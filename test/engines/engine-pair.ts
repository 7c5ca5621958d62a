import { verifyAudit } from '@reeve/audit'
import { createTestClock } from '../support/clock.ts'
import type { EngineName } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { readStoredRows } from '../support/stored-rows.ts'
import { createNormalizer } from './normalize.ts'
import type { NormalizedResponse, Operation } from './operation.ts'

/** Start of both clocks: the same in every run, so that a seed repeats it. */
const START = Date.UTC(2031, 1, 27, 21, 30)
/** Low enough that a burst exceeds them. */
const RATES = { keyRatePerMinute: 120, sessionRatePerMinute: 180 }
/** Headers that depend on the length of random values, or on the time of day. */
const IGNORED_HEADERS = ['content-length', 'date']
/** Compressed bodies contain random ids and cannot be compared. */
const ARCHIVE_CONTENT_TYPE = 'application/zstd'
/** Tables whose rows always differ: migration times, archives, which contain random ids, and secrets of PostgreSQL's notifications. */
const IGNORED_TABLES = ['migration', 'archive_part', 'instance_secret']

/**
 * Replaces the numbers of names with their order. The numbers differ: SQLite continues after the highest number, PostgreSQL
 * after the last one given, also if its name is gone. Only their order is visible, because newer names are found first.
 */
const toOrderedNames = (lines: readonly string[]): string[] =>
  lines
    .map((line) => JSON.parse(line) as { readonly id: number })
    .sort((one, other) => one.id - other.id)
    .map((row, index) => JSON.stringify({ ...row, id: index + 1 }))

/** One instance with the normalizer of its random values. */
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

  /** Every stored row with its table, sorted without regard to random values. */
  async function readRows(): Promise<string[]> {
    const tables = Object.entries(await readStoredRows(instance)).filter(
      ([name]) => !IGNORED_TABLES.includes(name),
    )
    return tables
      .flatMap(([name, lines]) =>
        (name === 'player_name' ? toOrderedNames(lines) : lines).map(
          (line) => `${name} ${normalizeKnown(line)}`,
        ),
      )
      .sort()
  }

  return { instance, normalize, execute, readRows }
}

/** The two engines returned different results. */
export class ResponseMismatch extends Error {
  constructor(readonly responses: { readonly SQLite: unknown; readonly PostgreSQL: unknown }) {
    super('the engines differ')
  }
}

function assertSame<Value>(SQLite: Value, PostgreSQL: Value): Value {
  if (!Bun.deepEquals(SQLite, PostgreSQL)) throw new ResponseMismatch({ SQLite, PostgreSQL })
  return SQLite
}

/** One instance on each engine, with equal clocks. */
export async function openEnginePair() {
  const [sqlite, postgres] = await Promise.all([openEngine('SQLite'), openEngine('PostgreSQL')])

  return {
    /** Epoch milliseconds on both clocks. */
    now: (): number => sqlite.instance.clock.now(),
    /** Sends one request to both. @throws ResponseMismatch if the responses differ */
    async execute(operation: Operation): Promise<NormalizedResponse> {
      return assertSame(await sqlite.execute(operation), await postgres.execute(operation))
    },
    /** Runs a step on both without HTTP. @returns its normalized result @throws ResponseMismatch if the results differ */
    async runOnBoth<Result>(step: (instance: Instance) => Promise<Result>): Promise<Result> {
      const runOn = async ({ instance, normalize }: typeof sqlite) =>
        normalize(JSON.stringify(await step(instance)))
      return JSON.parse(assertSame(await runOn(sqlite), await runOn(postgres)))
    },
    /** Rows that only one engine stores. */
    async findStoredDifferences(): Promise<string[]> {
      const [sqliteRows, postgresRows] = await Promise.all([sqlite.readRows(), postgres.readRows()])
      const rowsOnlyOn = (engineRows: string[], otherRows: string[], engine: string) =>
        [...new Set(engineRows).difference(new Set(otherRows))].map((row) => `only on ${engine}: ${row}`)
      return [
        ...rowsOnlyOn(sqliteRows, postgresRows, 'SQLite'),
        ...rowsOnlyOn(postgresRows, sqliteRows, 'PostgreSQL'),
      ]
    },
    /** Unexpected errors and a broken audit chain, which neither instance may have. */
    async findFaults(): Promise<string[]> {
      const problems = await Promise.all(
        [sqlite, postgres].map(async ({ instance }) => {
          const { faults } = await verifyAudit(instance.db.read, instance.ports)
          return [...instance.unexpectedErrors.map(String), ...faults.map((fault) => JSON.stringify(fault))]
        }),
      )
      return problems.flat()
    },
    close: async () => {
      await Promise.all([sqlite.instance.close(), postgres.instance.close()])
    },
  }
}

export type EnginePair = Awaited<ReturnType<typeof openEnginePair>>
