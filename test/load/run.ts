import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { moveSeedToPostgres } from '../bench/seed-server.ts'
import { provideDataset } from './dataset.ts'
import { type Measurement, measureScenario, type Plan, type Target } from './measure.ts'
import { formatTable, judge, MAX_MEMORY, MAX_RATIO, MAX_WAKE_UP_MS, MIN_RECEIVED_SHARE } from './report.ts'
import type { Scenario } from './scenario.ts'
import { findScenario, scenarios } from './scenarios/index.ts'

/**
 * `bun run test:load [--engine sqlite|postgres] [--scenarios archive,copy] [--scale 0.02] [--rounds 3] [--cache <folder>]
 * [--json <file>]`: measures the ban checks of one workspace while others load the server, for the table in
 * `docs/performance.md`.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    scenarios: { type: 'string' },
    scale: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    cache: { type: 'string' },
    json: { type: 'string' },
  },
})
const { engine } = values
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine must be sqlite or postgres')
const [scale, rounds] = [Number(values.scale), Number(values.rounds)]
if (!(scale > 0 && scale <= 1)) throw new Error('--scale must be a number above 0 and up to 1')
if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number above 0')
const output =
  values.json ?? join(import.meta.dir, '../../dist', engine === 'sqlite' ? 'load.json' : 'load-postgres.json')
const selected = (values.scenarios?.split(',').map(findScenario) ?? scenarios).filter(
  ({ sqliteOnly }) => engine === 'sqlite' || !sqliteOnly,
)

const PLAN: Plan = { warmUpSeconds: 10, idleSeconds: 10, startSeconds: 5, loadSeconds: 30 }

const log = (line: string) => process.stderr.write(`${line}\n`)

async function openTarget(folder: string): Promise<Target> {
  const dataDir = join(folder, 'data')
  const dataset = await provideDataset(dataDir, scale, values.cache ?? null, log)
  if (engine === 'sqlite') return { folder, databaseUrl: null, dataset }
  const settings = { REEVE_DATA_DIR: dataDir }
  const { postgresData } = await moveSeedToPostgres(
    { settings, baselineLocation: '', callers: '', playersEach: 0 },
    log,
  )
  return { folder, databaseUrl: postgresData.baselineLocation, dataset }
}

/** The round whose ratio is the median. */
const selectMedian = (results: readonly Measurement[]): Measurement =>
  results.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(results.length / 2)] as Measurement

async function measureRounds(scenario: Scenario, target: Target): Promise<Measurement> {
  const results: Measurement[] = []
  for (let round = 0; round < rounds; round++) results.push(await measureScenario(scenario, target, PLAN))
  return selectMedian(results)
}

const folder = mkdtempSync(join(tmpdir(), 'reeve-load-'))
try {
  const target = await openTarget(folder)
  const measurements: Measurement[] = []
  const failures: string[] = []
  for (const scenario of selected) {
    log(scenario.title)
    try {
      const median = await measureRounds(scenario, target)
      log(`  ${judge(median).kept ? 'kept' : 'missed'}: ratio ${median.ratio.toFixed(1)}`)
      measurements.push(median)
    } catch (error) {
      // The other scenarios can still be measured.
      failures.push(`${scenario.title}: ${(error as Error).message}`)
      log(`  failed: ${(error as Error).message}`)
    }
  }
  const report = {
    at: new Date().toISOString(),
    engine,
    scale,
    rounds,
    bounds: {
      ratio: MAX_RATIO,
      wakeUpMs: MAX_WAKE_UP_MS,
      receivedShare: MIN_RECEIVED_SHARE,
      memoryBytes: MAX_MEMORY,
    },
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), system: release() },
    bun: Bun.version,
    commit: (await new Response(Bun.spawn(['git', 'rev-parse', '--short', 'HEAD']).stdout).text()).trim(),
    measurements: measurements.map((measurement) => ({ ...measurement, ...judge(measurement) })),
    failures,
  }
  mkdirSync(join(output, '..'), { recursive: true })
  writeFileSync(output, `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`\n${[formatTable(measurements), ...failures].join('\n')}\n\nWritten to ${output}\n`)
  if (failures.length > 0 || report.measurements.some(({ kept }) => !kept)) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
