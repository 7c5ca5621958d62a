/**
 * `bun test/model/measure.ts`: measures the cost of requests on this machine and writes `costs.json`, which `bun run model` uses.
 * It takes some minutes on an otherwise idle machine.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Load, median, runLoad } from '../bench/load.ts'
import { type SeededData, seed } from '../bench/seed.ts'
import { moveSeedToPostgres } from '../bench/seed-server.ts'
import { type BenchServer, startReeve } from '../bench/servers.ts'
import type { Costs, EngineCosts, RequestCost, RequestCosts } from './costs.ts'
import { type CpuClock, createDatabaseCpuClock, readProcessCpu } from './cpu-time.ts'

const SIZE = { workspaces: 1_000, records: 1_000_000, eventsEach: 50 }
const CONNECTIONS = 64
const SECONDS = 5
const ROUNDS = 3

const log = (line: string) => process.stderr.write(`${line}\n`)

const load = (script: Load['script']): Load => ({
  script,
  target: 'reeve',
  seconds: SECONDS,
  connections: CONNECTIONS,
})

async function measureCost(
  script: Load['script'],
  { url, pid }: BenchServer,
  database: CpuClock,
  data: SeededData,
): Promise<RequestCost> {
  log(`  ${script}`)
  const samples: RequestCost[] = []
  await runLoad(url, data, load(script))
  for (let round = 0; round < ROUNDS; round++) {
    const before = { reeve: readProcessCpu(pid), database: await database() }
    const { perSecond } = await runLoad(url, data, load(script))
    const calls = perSecond * SECONDS
    samples.push({
      reeve: (readProcessCpu(pid) - before.reeve) / calls,
      database: ((await database()) - before.database) / calls,
    })
  }
  const [reeve, databaseCost] = [
    median(samples.map((sample) => sample.reeve)),
    median(samples.map((sample) => sample.database)),
  ]
  return { reeve: Math.round(reeve), database: Math.round(databaseCost) }
}

/** Leaves the load the keys of one workspace only, so that all writes go to it. */
function restrictToOneWorkspace(data: SeededData): SeededData {
  const callers = `${data.callers}.one`
  writeFileSync(callers, `${readFileSync(data.callers, 'utf8').split('\n')[0]}\n`)
  return { ...data, callers }
}

/**
 * @param readStorage reads the bytes on disk and the number of records, while Reeve is stopped
 * @param database the CPU time used by the database server
 */
async function measureEngine(
  data: SeededData,
  readStorage: () => Promise<{ bytes: number; records: number }>,
  database: CpuClock,
): Promise<EngineCosts> {
  const readServer = await startReeve(data.settings)
  const measureRead = async (script: Load['script']) => measureCost(script, readServer, database, data)
  const reads = {
    check: await measureRead('one'),
    roster: await measureRead('many'),
    events: await measureRead('events'),
  }
  await readServer.stop()
  const before = await readStorage()
  const writeServer = await startReeve(data.settings)
  const calls: RequestCosts = { ...reads, write: await measureCost('write', writeServer, database, data) }
  await writeServer.stop()
  const after = await readStorage()
  const singleWorkspaceServer = await startReeve(data.settings)
  const rates: number[] = []
  log('  write, all to one workspace')
  for (let round = 0; round < ROUNDS; round++)
    rates.push(
      (await runLoad(singleWorkspaceServer.url, restrictToOneWorkspace(data), load('write'))).perSecond,
    )
  await singleWorkspaceServer.stop()
  return {
    calls,
    writesOfOneWorkspace: Math.round(median(rates)),
    bytesOfRecord: Math.round((after.bytes - before.bytes) / (after.records - before.records)),
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'reeve-model-'))
try {
  log('Seeding')
  const data = await seed(join(scratch, 'reeve'), SIZE, () => {})
  log('SQLite')
  const file = join(scratch, 'reeve/reeve.db')
  const sqlite = await measureEngine(
    data,
    async () => {
      const { Database: Engine } = await import('bun:sqlite')
      const readonlyDatabase = new Engine(file, { readonly: true })
      const { records } = readonlyDatabase.query('select count(*) as records from record').get() as {
        records: number
      }
      readonlyDatabase.close()
      return { bytes: statSync(file).size, records }
    },
    async () => 0,
  )
  const { postgresData } = await moveSeedToPostgres(data, log)
  log('PostgreSQL')
  const client = new Client(postgresData.baselineLocation)
  await client.connect()
  const postgres = await measureEngine(
    postgresData,
    async () => {
      const { rows } = await client.query(
        'select pg_database_size(current_database()) as bytes, (select count(*) from record) as records',
      )
      return { bytes: Number(rows[0].bytes), records: Number(rows[0].records) }
    },
    await createDatabaseCpuClock(client),
  )
  await client.end()
  const report: Costs = {
    at: new Date().toISOString(),
    commit: (await new Response(Bun.spawn(['git', 'rev-parse', '--short', 'HEAD']).stdout).text()).trim(),
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    sqlite,
    postgres,
  }
  await Bun.write(join(import.meta.dir, 'costs.json'), `${JSON.stringify(report, null, 2)}\n`)
  console.log(JSON.stringify(report, null, 2))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
