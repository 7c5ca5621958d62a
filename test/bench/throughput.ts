import { type Load, type Measurement, median, type Plan, runLoad } from './load.ts'
import { createMaxLine, createMinLine, formatRate, type Line } from './report.ts'
import type { SeededData } from './seed.ts'
import { type BenchServer, startBaseline, startReeve } from './servers.ts'

const CONNECTIONS = 64

type Workload = Pick<Load, 'script' | 'target'>

/** Measures workloads alternately, so that other activity of the machine affects all of them equally. */
export async function measureAlternating(
  workloads: readonly (Workload & { server: BenchServer })[],
  data: SeededData,
  plan: Plan,
  connections = CONNECTIONS,
): Promise<Measurement[][]> {
  const load = (workload: Workload, seconds: number): Load => ({ ...workload, seconds, connections })
  for (const workload of workloads)
    await runLoad(workload.server.url, data, load(workload, plan.warmUpSeconds))
  const results: Measurement[][] = workloads.map(() => [])
  for (let round = 0; round < plan.rounds; round++) {
    for (const [index, workload] of workloads.entries()) {
      results[index]?.push(await runLoad(workload.server.url, data, load(workload, plan.seconds)))
    }
  }
  return results
}

export const medianRate = (results: readonly Measurement[] | undefined): number =>
  median((results ?? []).map((one) => one.perSecond))

const readWorkloads = [
  { promise: 'S1', work: 'ban check of one player', script: 'one', bound: 0.6 },
  { promise: 'S2', work: 'ban check of 100 players', script: 'many', bound: 0.7 },
  { promise: 'S3', work: 'the next 20 events', script: 'events', bound: 0.6 },
  { promise: 'S12', work: 'check of 700 players', script: 'check', bound: 0.7 },
] as const

/** With a separate database server, most of the time is spent on its round trips, for both. */
const POSTGRES_BOUND = 0.5

interface ServerPair {
  readonly reeve: BenchServer
  readonly baseline: BenchServer
}

/** Runs a measurement with Reeve and the baseline on the same data, then stops both. */
async function withBaseline(data: SeededData, work: (pair: ServerPair) => Promise<Line[]>): Promise<Line[]> {
  const reeve = await startReeve(data.settings)
  const baseline = await startBaseline(data.baselineLocation)
  try {
    return await work({ reeve, baseline })
  } finally {
    await baseline.stop()
    await reeve.stop()
  }
}

async function measureLine(
  { reeve, baseline }: ServerPair,
  {
    promise,
    work,
    script,
    bound,
  }: Pick<Workload, 'script'> & Pick<Line, 'promise' | 'work'> & { bound: number },
  data: SeededData,
  plan: Plan,
): Promise<Line> {
  const workloads = [
    { server: reeve, script, target: 'reeve' },
    { server: baseline, script, target: script === 'write' ? 'write' : 'bare' },
  ] as const
  const [reeveRate, baselineRate] = (await measureAlternating(workloads, data, plan)).map(medianRate) as [
    number,
    number,
  ]
  return createMinLine(bound, {
    promise,
    work,
    reeve: formatRate(reeveRate),
    compared: formatRate(baselineRate),
    ratio: reeveRate / baselineRate,
  })
}

/** S1 to S4 and the check of S12 on the embedded database: each workload on Reeve and on the baseline. */
export const measureReadsAndWrites = (
  data: SeededData,
  plan: Plan,
  log: (line: string) => void,
): Promise<Line[]> =>
  withBaseline(data, async (pair) => {
    const { reeve, baseline } = pair
    const lines: Line[] = []
    for (const read of readWorkloads) {
      log(`${read.promise}: ${read.work}`)
      lines.push(await measureLine(pair, read, data, plan))
    }
    log('S4: durable record')
    const workloads = [
      { server: reeve, script: 'write', target: 'reeve' },
      { server: baseline, script: 'write', target: 'write' },
      { server: baseline, script: 'write', target: 'write-together' },
    ] as const
    const [reeveRate, singleCommitRate, groupCommitRate] = (
      await measureAlternating(workloads, data, plan)
    ).map(medianRate) as [number, number, number]
    const work = 'durable record, against'
    const shared = { promise: 'S4', reeve: formatRate(reeveRate) }
    lines.push(
      createMinLine(4, {
        ...shared,
        work: `${work} one commit per request`,
        compared: formatRate(singleCommitRate),
        ratio: reeveRate / singleCommitRate,
      }),
      createMinLine(0.5, {
        ...shared,
        work: `${work} group commit`,
        compared: formatRate(groupCommitRate),
        ratio: reeveRate / groupCommitRate,
      }),
    )
    return lines
  })

/** S1 to S4 and the check of S12 on PostgreSQL, against a baseline that runs the same statements. */
export const measurePostgres = (data: SeededData, plan: Plan, log: (line: string) => void): Promise<Line[]> =>
  withBaseline(data, async (pair) => {
    const lines: Line[] = []
    for (const read of [
      ...readWorkloads,
      { promise: 'S4', work: 'durable record', script: 'write' } as const,
    ]) {
      log(`${read.promise}: ${read.work}`)
      lines.push(await measureLine(pair, { ...read, bound: POSTGRES_BOUND }, data, plan))
    }
    return lines
  })

/** S6: the 99th percentile of the ban check, alone and with 64 concurrent writers. */
export async function measureReadsUnderWrites(
  data: SeededData,
  plan: Plan,
  log: (line: string) => void,
): Promise<Line> {
  log('S6: a reader with 64 concurrent writers')
  const reeve = await startReeve(data.settings)
  const reader: Load = { script: 'one', target: 'reeve', seconds: plan.seconds, connections: 1 }
  const writers: Load = {
    script: 'write',
    target: 'reeve',
    seconds: plan.seconds + 2,
    connections: CONNECTIONS,
  }
  try {
    await runLoad(reeve.url, data, { ...reader, seconds: plan.warmUpSeconds })
    const p99Alone: number[] = []
    const p99UnderWrites: number[] = []
    for (let round = 0; round < plan.rounds; round++) {
      p99Alone.push((await runLoad(reeve.url, data, reader)).p99)
      const [, read] = await Promise.all([
        runLoad(reeve.url, data, writers),
        runLoad(reeve.url, data, reader),
      ])
      p99UnderWrites.push(read.p99)
    }
    const [medianAlone, medianUnderWrites] = [median(p99Alone), median(p99UnderWrites)]
    return createMaxLine(4, {
      promise: 'S6',
      work: 'p99 of the ban check with 64 concurrent writers',
      reeve: `${medianUnderWrites.toFixed(2)} ms`,
      compared: `${medianAlone.toFixed(2)} ms without writers`,
      ratio: medianUnderWrites / medianAlone,
    })
  } finally {
    await reeve.stop()
  }
}
