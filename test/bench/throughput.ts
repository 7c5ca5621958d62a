import { type Load, type Measured, measure, median } from './load.ts'
import { atLeast, atMost, type Line, perSecond } from './report.ts'
import type { Plan } from './run.ts'
import type { Seeded } from './seed.ts'
import { type Server, startCeiling, startReeve } from './servers.ts'

const CONNECTIONS = 64

type Work = Pick<Load, 'script' | 'target'>

/** Measures kinds of work turn about, so that what the machine does meanwhile meets them all alike. */
async function turnAbout(
  works: readonly (Work & { server: Server })[],
  data: Seeded,
  plan: Plan,
): Promise<Measured[][]> {
  const load = (work: Work, seconds: number): Load => ({ ...work, seconds, connections: CONNECTIONS })
  for (const work of works) await measure(work.server.url, data, load(work, plan.warmUpSeconds))
  const results: Measured[][] = works.map(() => [])
  for (let round = 0; round < plan.rounds; round++) {
    for (const [index, work] of works.entries()) {
      results[index]?.push(await measure(work.server.url, data, load(work, plan.seconds)))
    }
  }
  return results
}

const rate = (results: readonly Measured[] | undefined): number =>
  median((results ?? []).map((one) => one.perSecond))

const reads = [
  { promise: 'S1', work: 'ban check of one player', script: 'one', bound: 0.6 },
  { promise: 'S2', work: 'ban check of 100 players', script: 'many', bound: 0.7 },
  { promise: 'S3', work: 'the next 20 events', script: 'events', bound: 0.6 },
] as const

/** On a server of its own, most of the time goes into asking it, for both. */
const SERVER_BOUND = 0.5

interface Pair {
  readonly reeve: Server
  readonly ceiling: Server
}

/** Runs what needs Reeve and the ceiling on the same data, and ends both. */
async function besideCeiling(data: Seeded, work: (pair: Pair) => Promise<Line[]>): Promise<Line[]> {
  const reeve = await startReeve(data.place)
  const ceiling = await startCeiling(data.bare)
  try {
    return await work({ reeve, ceiling })
  } finally {
    await ceiling.stop()
    await reeve.stop()
  }
}

async function readLine(
  { reeve, ceiling }: Pair,
  { promise, work, script, bound }: Pick<Work, 'script'> & Pick<Line, 'promise' | 'work'> & { bound: number },
  data: Seeded,
  plan: Plan,
): Promise<Line> {
  const works = [
    { server: reeve, script, target: 'reeve' },
    { server: ceiling, script, target: script === 'write' ? 'write' : 'bare' },
  ] as const
  const [ours, bare] = (await turnAbout(works, data, plan)).map(rate) as [number, number]
  return atLeast(bound, {
    promise,
    work,
    reeve: perSecond(ours),
    compared: perSecond(bare),
    ratio: ours / bare,
  })
}

/** S1 to S4 on the embedded database: each kind of work on Reeve and on the ceiling. */
export const readsAndWrites = (data: Seeded, plan: Plan, say: (line: string) => void): Promise<Line[]> =>
  besideCeiling(data, async (pair) => {
    const { reeve, ceiling } = pair
    const lines: Line[] = []
    for (const read of reads) {
      say(`${read.promise}: ${read.work}`)
      lines.push(await readLine(pair, read, data, plan))
    }
    say('S4: a moderation record, durable')
    const works = [
      { server: reeve, script: 'write', target: 'reeve' },
      { server: ceiling, script: 'write', target: 'write' },
      { server: ceiling, script: 'write', target: 'write-together' },
    ] as const
    const [ours, alone, together] = (await turnAbout(works, data, plan)).map(rate) as [number, number, number]
    const work = 'a record, durable, against'
    const shared = { promise: 'S4', reeve: perSecond(ours) }
    lines.push(
      atLeast(4, {
        ...shared,
        work: `${work} a commit a request`,
        compared: perSecond(alone),
        ratio: ours / alone,
      }),
      atLeast(0.5, {
        ...shared,
        work: `${work} group commit`,
        compared: perSecond(together),
        ratio: ours / together,
      }),
    )
    return lines
  })

/** S1 to S4 on PostgreSQL, against a ceiling that runs the same statements. */
export const onServer = (data: Seeded, plan: Plan, say: (line: string) => void): Promise<Line[]> =>
  besideCeiling(data, async (pair) => {
    const lines: Line[] = []
    for (const read of [...reads, { promise: 'S4', work: 'a record, durable', script: 'write' } as const]) {
      say(`${read.promise}: ${read.work}`)
      lines.push(await readLine(pair, { ...read, bound: SERVER_BOUND }, data, plan))
    }
    return lines
  })

/** S6: the 99th percentile of the ban check, alone and beside 64 writers. */
export async function readBesideWriters(
  data: Seeded,
  plan: Plan,
  say: (line: string) => void,
): Promise<Line> {
  say('S6: a reader beside 64 writers')
  const reeve = await startReeve(data.place)
  const reader: Load = { script: 'one', target: 'reeve', seconds: plan.seconds, connections: 1 }
  const writers: Load = {
    script: 'write',
    target: 'reeve',
    seconds: plan.seconds + 2,
    connections: CONNECTIONS,
  }
  try {
    await measure(reeve.url, data, { ...reader, seconds: plan.warmUpSeconds })
    const alone: number[] = []
    const beside: number[] = []
    for (let round = 0; round < plan.rounds; round++) {
      alone.push((await measure(reeve.url, data, reader)).p99)
      const [, read] = await Promise.all([
        measure(reeve.url, data, writers),
        measure(reeve.url, data, reader),
      ])
      beside.push(read.p99)
    }
    const [without, having] = [median(alone), median(beside)]
    return atMost(4, {
      promise: 'S6',
      work: 'p99 of the ban check beside 64 writers',
      reeve: `${having.toFixed(2)} ms`,
      compared: `${without.toFixed(2)} ms alone`,
      ratio: having / without,
    })
  } finally {
    await reeve.stop()
  }
}
