import { join } from 'node:path'
import type { SeededData } from './seed.ts'

export interface Load {
  readonly script: 'one' | 'many' | 'events' | 'write' | 'check' | 'check-unchanged'
  /** `reeve`, or the write path of the baseline. */
  readonly target: 'reeve' | 'bare' | 'write' | 'write-together' | 'lean'
  readonly seconds: number
  readonly connections: number
}

/** How long each load runs, and how often. */
export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

export interface Measurement {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const UNIT_MS: Record<string, number> = { us: 0.001, ms: 1, s: 1000 }

function parseLatency(output: string, percentile: string): number {
  const match = new RegExp(`${percentile}%\\s+([\\d.]+)(us|ms|s)`).exec(output)
  return match ? Number(match[1]) * (UNIT_MS[match[2] as string] as number) : Number.NaN
}

let loadRound = 0

/** Loads a server with wrk (https://github.com/wg/wrk) and parses its report. @throws if any response was not 200 */
export async function runLoad(url: string, data: SeededData, load: Load): Promise<Measurement> {
  loadRound += 1
  const folder = join(import.meta.dir, 'load')
  const child = Bun.spawn(
    [
      'wrk',
      '-t1',
      `-c${load.connections}`,
      `-d${load.seconds}s`,
      '--latency',
      '-s',
      join(folder, `${load.script}.lua`),
      url,
    ],
    {
      env: {
        ...process.env,
        BENCH_LOAD: folder,
        BENCH_CALLERS: data.callers,
        BENCH_PLAYERS: String(data.playersEach),
        BENCH_SEED: String(loadRound),
        BENCH_TARGET: load.target,
        BENCH_NOW: String(Date.now()),
      },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const output = await new Response(child.stdout).text()
  const failedCount = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1]
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
  if (failedCount || !(perSecond > 0)) throw new Error(`wrk on ${url} (${load.script}): ${output}`)
  return { perSecond, p50: parseLatency(output, '50'), p99: parseLatency(output, '99') }
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}
