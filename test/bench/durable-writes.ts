import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createLeanData } from './lean-data.ts'
import type { Plan } from './load.ts'
import { createMinLine, formatRate, type Line } from './report.ts'
import { type SeededData, seed } from './seed.ts'
import { startBaseline, startReeve } from './servers.ts'
import { measureAlternating, medianRate } from './throughput.ts'

const CONNECTIONS = 32

/** The records of the only workspace, before the writes. */
const RECORDS_IN_ONE = 10_000

/** S4': durable records against a lean insert, in one workspace and over those of `spread`. */
export async function measureDurableWrites(
  scratch: string,
  spread: SeededData,
  plan: Plan,
  log: (line: string) => void,
): Promise<Line[]> {
  const folder = join(scratch, 'single')
  const size = { workspaces: 1, records: RECORDS_IN_ONE, eventsEach: 0 }
  const single = await seed(join(folder, 'reeve'), size, log)
  try {
    return [
      await compareWithLean(single, 'in one workspace', 0.6, plan, log),
      await compareWithLean(spread, 'over all workspaces', 0.35, plan, log),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compareWithLean(
  data: SeededData,
  where: string,
  bound: number,
  plan: Plan,
  log: (line: string) => void,
): Promise<Line> {
  const work = `durable record ${where}, against a lean insert`
  log(`S4': ${work}`)
  const lean = await startBaseline(createLeanData(data))
  const reeve = await startReeve(data.settings)
  try {
    const workloads = [
      { server: reeve, script: 'write', target: 'reeve' },
      { server: lean, script: 'write', target: 'lean' },
    ] as const
    const results = await measureAlternating(workloads, data, plan, CONNECTIONS)
    const [reeveRate, leanRate] = results.map(medianRate) as [number, number]
    return createMinLine(bound, {
      promise: "S4'",
      work,
      reeve: formatRate(reeveRate),
      compared: formatRate(leanRate),
      ratio: reeveRate / leanRate,
    })
  } finally {
    await reeve.stop()
    await lean.stop()
  }
}
