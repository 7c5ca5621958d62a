import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { growth } from './growth.ts'
import { type Line, table } from './report.ts'
import { seed } from './seed.ts'
import { idle, startUp } from './start-up.ts'
import { readBesideWriters, readsAndWrites } from './throughput.ts'

/**
 * `bun run bench [--quick] [--json <file>]`: the speed that `docs/performance.md` tells of. Reeve and the ceiling run in
 * the same run, turn about, on the same data; what is compared are ratios, so that a slow machine changes nothing.
 */
const quick = process.argv.includes('--quick')
const jsonFlag = process.argv.indexOf('--json')
const output =
  jsonFlag > 0 ? (process.argv[jsonFlag + 1] as string) : join(import.meta.dir, '../../dist/bench.json')

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

const plan: Plan = quick
  ? { rounds: 3, seconds: 1, warmUpSeconds: 1 }
  : { rounds: 5, seconds: 5, warmUpSeconds: 3 }
const size = quick
  ? { workspaces: 100, records: 50_000, eventsEach: 50 }
  : { workspaces: 1_000, records: 1_000_000, eventsEach: 50 }

const sqliteVersion = (): string | undefined =>
  new Database(':memory:').query<{ version: string }, []>('select sqlite_version() as version').get()?.version

const say = (line: string) => process.stderr.write(`${line}\n`)
const needed = Bun.which('wrk')
if (!needed) {
  say('The load generator wrk is missing: install it with `apt-get install wrk`.')
  process.exit(2)
}

const scratch = mkdtempSync(join(tmpdir(), 'reeve-bench-'))
try {
  say(`Seeding ${size.records.toLocaleString('en')} bans over ${size.workspaces} workspaces`)
  const data = await seed(join(scratch, 'reeve'), size, say)
  const lines: Line[] = [
    ...(await readsAndWrites(data, plan, say)),
    await readBesideWriters(data, plan, say),
    ...(await growth(scratch, plan, quick, say)),
    await startUp(scratch, quick ? 10 : 30, say),
    ...(await idle(data, plan, say)),
  ]
  const told = {
    at: new Date().toISOString(),
    quick,
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), system: release() },
    versions: { bun: Bun.version, sqlite: sqliteVersion() },
    commit: (await new Response(Bun.spawn(['git', 'rev-parse', '--short', 'HEAD']).stdout).text()).trim(),
    lines,
  }
  mkdirSync(join(output, '..'), { recursive: true })
  writeFileSync(output, `${JSON.stringify(told, null, 2)}\n`)
  process.stdout.write(`\n${table(lines)}\n\nWritten to ${output}\n`)
  if (!quick && lines.some((line) => !line.kept)) process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
