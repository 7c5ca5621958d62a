import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { EngineName } from '../support/engine.ts'
import { measureDurableWrites } from './durable-writes.ts'
import { growth } from './growth.ts'
import type { Plan } from './load.ts'
import { measureRecordSize, toSizeLine } from './record-size.ts'
import { formatTable, type Line } from './report.ts'
import { type SeededData, seed } from './seed.ts'
import { moveSeedToPostgres } from './seed-server.ts'
import { measureUnchangedChecks } from './server-check.ts'
import { measureSnapshot } from './snapshot.ts'
import { measureMemory, measureStartUp } from './start-up.ts'
import { measurePostgres, measureReadsAndWrites, measureReadsUnderWrites } from './throughput.ts'

/**
 * `bun run bench [--engine sqlite|postgres] [--quick] [--json <file>]`: measures the figures in `docs/performance.md`. Reeve and
 * the baseline run alternately in the same run on the same data, and the ratios are compared, so that a slow machine does not
 * change the result.
 */
const {
  values: { quick, engine, json },
} = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    engine: { type: 'string', default: 'sqlite' },
    json: { type: 'string' },
  },
})
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine must be sqlite or postgres')
const name = engine === 'sqlite' ? 'bench.json' : 'bench-postgres.json'
const output = json ?? join(import.meta.dir, '../../dist', name)

const plan: Plan = quick
  ? { rounds: 3, seconds: 1, warmUpSeconds: 1 }
  : { rounds: 5, seconds: 5, warmUpSeconds: 3 }
const size = quick
  ? { workspaces: 100, records: 50_000, eventsEach: 50 }
  : { workspaces: 1_000, records: 1_000_000, eventsEach: 50 }

const sqliteVersion = (): string =>
  new Database(':memory:').query<{ version: string }, []>('select sqlite_version() as version').get()
    ?.version ?? ''

const log = (line: string) => process.stderr.write(`${line}\n`)
const wrkPath = Bun.which('wrk')
if (!wrkPath) {
  log('The load generator wrk is missing: install it with `apt-get install wrk`.')
  process.exit(2)
}

/** S11, of records over as many workspaces as the other lines. */
async function measureSize(engineName: EngineName): Promise<Line> {
  const { workspaces } = size
  const records = quick ? 20_000 : 1_000_000
  return toSizeLine(engineName, await measureRecordSize(engineName, { records, workspaces }, log))
}

/** S1 to S8, S11 and S12, on the embedded database. */
async function runSqliteBench(data: SeededData): Promise<{ lines: Line[]; version: string }> {
  const lines = [
    ...(await measureReadsAndWrites(data, plan, log)),
    ...(await measureDurableWrites(scratch, data, plan, log)),
    await measureReadsUnderWrites(data, plan, log),
    ...(await growth(scratch, plan, quick, log)),
    await measureStartUp(scratch, quick ? 10 : 30, log),
    ...(await measureMemory(data, plan, log)),
    await measureSize('SQLite'),
    await measureUnchangedChecks(data, plan, log),
    ...(await measureSnapshot(scratch, quick ? 50_000 : 1_000_000, 'sqlite', log)),
  ]
  return { lines, version: sqliteVersion() }
}

/** S1 to S4, S11 and S12 on a PostgreSQL server. */
async function runPostgresBench(data: SeededData): Promise<{ lines: Line[]; version: string }> {
  const { postgresData, version } = await moveSeedToPostgres(data, log)
  const lines = [
    ...(await measurePostgres(postgresData, plan, log)),
    await measureSize('PostgreSQL'),
    ...(await measureSnapshot(scratch, quick ? 50_000 : 1_000_000, 'postgres', log)),
  ]
  return { lines, version }
}

const scratch = mkdtempSync(join(tmpdir(), 'reeve-bench-'))
try {
  log(`Seeding ${size.records.toLocaleString('en')} bans over ${size.workspaces} workspaces`)
  const data = await seed(join(scratch, 'reeve'), size, log)
  const { lines, version } = engine === 'sqlite' ? await runSqliteBench(data) : await runPostgresBench(data)
  const report = {
    at: new Date().toISOString(),
    quick,
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), system: release() },
    versions: { bun: Bun.version, [engine]: version },
    commit: (await new Response(Bun.spawn(['git', 'rev-parse', '--short', 'HEAD']).stdout).text()).trim(),
    lines,
  }
  mkdirSync(join(output, '..'), { recursive: true })
  writeFileSync(output, `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`\n${formatTable(lines)}\n\nWritten to ${output}\n`)
  if (!quick && lines.some((line) => !line.kept)) process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
