import { verifyAudit } from '@reeve/audit'
import { movableClock } from '../support/clock.ts'
import type { EngineName } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { stored } from '../support/stored.ts'
import { leveling } from './level.ts'
import type { LeveledAnswer, Operation } from './operation.ts'

/** When the twins' clock begins: the same in every run, so that a seed repeats all of it. */
const START = Date.UTC(2031, 1, 27, 21, 30)
/** Low enough that a flurry of calls meets it. */
const RATES = { keyRatePerMinute: 120, sessionRatePerMinute: 180 }
/** Fields of a head that tell how long a body is, and when it went out. */
const UNCOMPARED_FIELDS = ['content-length', 'date']
/** Bodies that are packed from ids. */
const PACKED = 'application/zstd'
/** Tables of which no two instances share a row: when each was made, and what is packed from its ids. */
const UNCOMPARED_TABLES = ['migration', 'archive_part']

/** One instance, and the words for what it makes. */
async function openTwin(engine: EngineName) {
  const clock = movableClock(START)
  const instance = await openInstance({ engine, clock, ...RATES })
  const { level, levelKnown, fill } = leveling()

  async function carryOut(operation: Operation): Promise<LeveledAnswer> {
    const { method, path, query, body, key, session, headers, after, flushes } = operation
    clock.advance(after)
    if (flushes) await instance.flush()
    const filledIn = (fields: Operation['query']) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fill(value)]))
    const asked = new URLSearchParams(filledIn(query))
    const answer = await instance.call(method, `${fill(path)}${asked.size > 0 ? `?${asked}` : ''}`, {
      headers: filledIn(headers),
      ...(body === undefined ? {} : { body: fill(typeof body === 'string' ? body : JSON.stringify(body)) }),
      ...(key === undefined ? {} : { key: fill(key) }),
      ...(session === undefined ? {} : { session: fill(session) }),
    })
    const lines = [...answer.headers].map(([name, value]) => `${name}: ${level(value)}`)
    return {
      status: answer.status,
      head: lines.filter((line) => !UNCOMPARED_FIELDS.some((name) => line.startsWith(`${name}:`))).join('\n'),
      text: answer.headers.get('content-type') === PACKED ? '' : level(answer.text),
    }
  }

  /** Every row that is stored, with its table, in an order that does not depend on what is made at random. */
  async function rows(): Promise<string[]> {
    const tables = Object.entries(await stored(instance)).filter(
      ([name]) => !UNCOMPARED_TABLES.includes(name),
    )
    return tables.flatMap(([name, lines]) => lines.map((line) => `${name} ${levelKnown(line)}`)).sort()
  }

  return { instance, level, carryOut, rows }
}

/** Two answers to one operation that are not the same. */
export class Difference extends Error {
  constructor(readonly answers: { readonly SQLite: unknown; readonly PostgreSQL: unknown }) {
    super('the engines differ')
  }
}

function same<Answer>(SQLite: Answer, PostgreSQL: Answer): Answer {
  if (!Bun.deepEquals(SQLite, PostgreSQL)) throw new Difference({ SQLite, PostgreSQL })
  return SQLite
}

/** An instance on each engine, by clocks that are moved alike. */
export async function openTwins() {
  const [sqlite, postgres] = await Promise.all([openTwin('SQLite'), openTwin('PostgreSQL')])

  return {
    /** Epoch milliseconds of both. */
    now: (): number => sqlite.instance.clock.now(),
    /** Makes one call of both. @throws Difference where they answer another thing */
    async carryOut(operation: Operation): Promise<LeveledAnswer> {
      return same(await sqlite.carryOut(operation), await postgres.carryOut(operation))
    },
    /** Does something with both, past the interface. @returns what came of it, leveled */
    async both<Made>(step: (instance: Instance) => Promise<Made>): Promise<Made> {
      const at = async ({ instance, level }: typeof sqlite) => level(JSON.stringify(await step(instance)))
      return JSON.parse(same(await at(sqlite), await at(postgres)))
    },
    /** What is stored past the interface in one of them alone. */
    async differences(): Promise<string[]> {
      const [one, other] = await Promise.all([sqlite.rows(), postgres.rows()])
      const beyond = (all: string[], rest: string[], engine: string) =>
        [...new Set(all).difference(new Set(rest))].map((row) => `stored on ${engine} alone: ${row}`)
      return [...beyond(one, other, 'SQLite'), ...beyond(other, one, 'PostgreSQL')]
    },
    /** What neither instance may have: errors of its own, and an audit chain that is not whole. */
    async faults(): Promise<string[]> {
      const all = await Promise.all(
        [sqlite, postgres].map(async ({ instance }) => {
          const { faults } = await verifyAudit(instance.db.read)
          return [...instance.failures.map(String), ...faults.map((fault) => JSON.stringify(fault))]
        }),
      )
      return all.flat()
    },
    close: async () => {
      await Promise.all([sqlite.instance.close(), postgres.instance.close()])
    },
  }
}

export type Twins = Awaited<ReturnType<typeof openTwins>>
