import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { median, type Plan, runLoad } from './load.ts'
import { createMaxLine, type Line } from './report.ts'
import type { SeededData } from './seed.ts'
import { type BenchServer, startBaseline, startReeve } from './servers.ts'

/** Milliseconds from the start of a process to its first 200. */
async function measureFirstResponse(start: () => Promise<BenchServer>, path: string): Promise<number> {
  const startedAt = performance.now()
  const server = await start()
  const { status } = await fetch(new URL(path, server.url))
  const elapsed = performance.now() - startedAt
  await server.stop()
  if (status !== 200) throw new Error(`the first response was ${status}`)
  return elapsed
}

/** S7: `reeve serve` on an empty data folder to its first 200, against `bun` starting a bare server. */
export async function measureStartUp(
  scratch: string,
  rounds: number,
  log: (line: string) => void,
): Promise<Line> {
  log('S7: startup to the first response')
  const reeveTimes: number[] = []
  const baselineTimes: number[] = []
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(scratch, 'empty-'))
    reeveTimes.push(await measureFirstResponse(() => startReeve({ REEVE_DATA_DIR: folder }), '/healthz'))
    baselineTimes.push(await measureFirstResponse(() => startBaseline(), '/'))
    rmSync(folder, { recursive: true, force: true })
  }
  const [reeve, compared] = [median(reeveTimes), median(baselineTimes)]
  return createMaxLine(12, {
    promise: 'S7',
    work: 'startup to the first 200, empty data folder',
    reeve: `${reeve.toFixed(0)} ms`,
    compared: `${compared.toFixed(0)} ms bare`,
    ratio: reeve / compared,
  })
}

const formatMiB = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`

/** S8: resident memory when idle and after the ban checks, compared with the baseline. */
export async function measureMemory(
  data: SeededData,
  plan: Plan,
  log: (line: string) => void,
): Promise<Line[]> {
  log('S8: memory')
  const reeve = await startReeve(data.settings)
  const baseline = await startBaseline(data.baselineLocation)
  const lines: Line[] = []
  try {
    for (const phase of ['when idle', 'after S1']) {
      if (phase === 'after S1') {
        const load = { script: 'one', seconds: plan.seconds, connections: 64 } as const
        await runLoad(reeve.url, data, { ...load, target: 'reeve' })
        await runLoad(baseline.url, data, { ...load, target: 'bare' })
      }
      const [reeveMemory, baselineMemory] = [await reeve.readMemory(), await baseline.readMemory()]
      lines.push(
        createMaxLine(2.5, {
          promise: 'S8',
          work: `memory ${phase}`,
          reeve: formatMiB(reeveMemory),
          compared: formatMiB(baselineMemory),
          ratio: reeveMemory / baselineMemory,
        }),
      )
    }
  } finally {
    await baseline.stop()
    await reeve.stop()
  }
  return lines
}
