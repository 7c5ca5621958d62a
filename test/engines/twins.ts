import { verifyAudit } from '@reeve/audit'
import { movableClock } from '../support/clock.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { leveling } from './level.ts'
import type { LeveledAnswer, Operation } from './operation.ts'

/** When the twins' clock begins: the same in every run, so that a seed repeats all of it. */
const START = Date.UTC(2031, 1, 27, 21, 30)
/** Low enough that a flurry of calls meets it. */
const RATES = { keyRatePerMinute: 120, sessionRatePerMinute: 180 }
/** Of a body, not of what was answered; or made from the network. */
const UNCOMPARED = ['content-length', 'date']

/** One instance, and the words for what it makes. */
async function openTwin(engine: 'SQLite' | 'PostgreSQL') {
  const clock = movableClock(START)
  const instance = await openInstance({ engine, clock, ...RATES })
  const { level, levelWhole, fill } = leveling()

  async function carryOut(operation: Operation): Promise<LeveledAnswer> {
    const { method, path, query, body, key, session, headers, after, flushes } = operation
    clock.advance(after)
    if (flushes) await instance.flush()
    const filled = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) filled.set(name, fill(value))
    const answer = await instance.call(method, `${fill(path)}${filled.size > 0 ? `?${filled}` : ''}`, {
      headers: JSON.parse(fill(JSON.stringify(headers))),
      ...(body === undefined ? {} : { body: fill(typeof body === 'string' ? body : JSON.stringify(body)) }),
      ...(key === undefined ? {} : { key: fill(key) }),
      ...(session === undefined ? {} : { session: fill(session) }),
    })
    const lines = [...answer.headers].map(
      ([name, value]) => `${name}: ${name === 'etag' ? levelWhole(value) : level(value)}`,
    )
    return {
      status: answer.status,
      head: lines.filter((line) => !UNCOMPARED.some((name) => line.startsWith(`${name}:`))).join('\n'),
      text: level(answer.text),
    }
  }

  return { instance, level, carryOut }
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
