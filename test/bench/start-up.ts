import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { measure, median } from './load.ts'
import { atMost, type Line } from './report.ts'
import type { Plan } from './run.ts'
import type { Seeded } from './seed.ts'
import { type Server, startCeiling, startReeve } from './servers.ts'

/** Milliseconds from the start of a process to its first 200. */
async function firstAnswer(start: () => Promise<Server>, path: string): Promise<number> {
  const from = performance.now()
  const server = await start()
  const { status } = await fetch(new URL(path, server.url))
  const took = performance.now() - from
  await server.stop()
  if (status !== 200) throw new Error(`the first answer was ${status}`)
  return took
}

/** S7: `reeve serve` on an empty data folder to its first 200, against `bun` starting a bare server. */
export async function startUp(scratch: string, rounds: number, say: (line: string) => void): Promise<Line> {
  say('S7: start to the first answer')
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(scratch, 'empty-'))
    ours.push(await firstAnswer(() => startReeve({ REEVE_DATA_DIR: folder }), '/healthz'))
    bare.push(await firstAnswer(() => startCeiling(), '/'))
    rmSync(folder, { recursive: true, force: true })
  }
  const [reeve, compared] = [median(ours), median(bare)]
  return atMost(12, {
    promise: 'S7',
    work: 'start to the first 200, empty data folder',
    reeve: `${reeve.toFixed(0)} ms`,
    compared: `${compared.toFixed(0)} ms bare`,
    ratio: reeve / compared,
  })
}

const mib = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`

/** S8: resident memory, at rest and after the ban checks, against the bare server. */
export async function idle(data: Seeded, plan: Plan, say: (line: string) => void): Promise<Line[]> {
  say('S8: memory')
  const reeve = await startReeve(data.place)
  const ceiling = await startCeiling(data.bare)
  const lines: Line[] = []
  try {
    for (const when of ['at rest', 'after S1']) {
      if (when === 'after S1') {
        const load = { script: 'one', seconds: plan.seconds, connections: 64 } as const
        await measure(reeve.url, data, { ...load, target: 'reeve' })
        await measure(ceiling.url, data, { ...load, target: 'bare' })
      }
      const [ours, bare] = [await reeve.memory(), await ceiling.memory()]
      lines.push(
        atMost(2.5, {
          promise: 'S8',
          work: `memory ${when}`,
          reeve: mib(ours),
          compared: mib(bare),
          ratio: ours / bare,
        }),
      )
    }
  } finally {
    await ceiling.stop()
    await reeve.stop()
  }
  return lines
}
