/**
 * `bun test/model/measure.ts`: measures what calls cost on this machine and writes `costs.json`, which `bun run model` reckons
 * with. It takes some minutes; nothing else should run meanwhile.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Load, measure, median } from '../bench/load.ts'
import { type Seeded, seed } from '../bench/seed.ts'
import { seedServer } from '../bench/seed-server.ts'
import { type Server, startReeve } from '../bench/servers.ts'
import type { CallCost, CallCosts, Costs, EngineCosts } from './costs.ts'
import { backendsOf, type Clock, processorOf } from './processor.ts'

const SIZE = { workspaces: 1_000, records: 1_000_000, eventsEach: 50 }
const CONNECTIONS = 64
const SECONDS = 5
const ROUNDS = 3

const say = (line: string) => process.stderr.write(`${line}\n`)

const load = (script: Load['script']): Load => ({
  script,
  target: 'reeve',
  seconds: SECONDS,
  connections: CONNECTIONS,
})

async function costOf(
  script: Load['script'],
  { url, pid }: Server,
  database: Clock,
  data: Seeded,
): Promise<CallCost> {
  say(`  ${script}`)
  const taken: CallCost[] = []
  await measure(url, data, load(script))
  for (let round = 0; round < ROUNDS; round++) {
    const before = { reeve: processorOf(pid), database: await database() }
    const { perSecond } = await measure(url, data, load(script))
    const calls = perSecond * SECONDS
    taken.push({
      reeve: (processorOf(pid) - before.reeve) / calls,
      database: ((await database()) - before.database) / calls,
    })
  }
  const [reeve, onServer] = [median(taken.map((one) => one.reeve)), median(taken.map((one) => one.database))]
  return { reeve: Math.round(reeve), database: Math.round(onServer) }
}

/** The same callers, but for one: all writes then go to one workspace. */
function ofOneWorkspace(data: Seeded): Seeded {
  const callers = `${data.callers}.one`
  writeFileSync(callers, `${readFileSync(data.callers, 'utf8').split('\n')[0]}\n`)
  return { ...data, callers }
}

/**
 * @param stored how many bytes lie on the disk, and how many records; asked for while Reeve does not run
 * @param database what its processes have used
 */
async function engine(
  data: Seeded,
  stored: () => Promise<{ bytes: number; records: number }>,
  database: Clock,
): Promise<EngineCosts> {
  const reading = await startReeve(data.place)
  const read = async (script: Load['script']) => costOf(script, reading, database, data)
  const reads = { check: await read('one'), roster: await read('many'), events: await read('events') }
  await reading.stop()
  const before = await stored()
  const writing = await startReeve(data.place)
  const calls: CallCosts = { ...reads, write: await costOf('write', writing, database, data) }
  await writing.stop()
  const after = await stored()
  const one = await startReeve(data.place)
  const rates: number[] = []
  say('  write, all to one workspace')
  for (let round = 0; round < ROUNDS; round++)
    rates.push((await measure(one.url, ofOneWorkspace(data), load('write'))).perSecond)
  await one.stop()
  return {
    calls,
    writesOfOneWorkspace: Math.round(median(rates)),
    bytesOfRecord: Math.round((after.bytes - before.bytes) / (after.records - before.records)),
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'reeve-model-'))
try {
  say('Seeding')
  const data = await seed(join(scratch, 'reeve'), SIZE, () => {})
  say('SQLite')
  const file = join(scratch, 'reeve/reeve.db')
  const sqlite = await engine(
    data,
    async () => {
      const { Database: Engine } = await import('bun:sqlite')
      const opened = new Engine(file, { readonly: true })
      const { records } = opened.query('select count(*) as records from record').get() as { records: number }
      opened.close()
      return { bytes: statSync(file).size, records }
    },
    async () => 0,
  )
  const { onServer } = await seedServer(data, say)
  say('PostgreSQL')
  const client = new Client(onServer.bare)
  await client.connect()
  const postgres = await engine(
    onServer,
    async () => {
      const { rows } = await client.query(
        'select pg_database_size(current_database()) as bytes, (select count(*) from record) as records',
      )
      return { bytes: Number(rows[0].bytes), records: Number(rows[0].records) }
    },
    await backendsOf(client),
  )
  await client.end()
  const told: Costs = {
    at: new Date().toISOString(),
    commit: (await new Response(Bun.spawn(['git', 'rev-parse', '--short', 'HEAD']).stdout).text()).trim(),
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    sqlite,
    postgres,
  }
  await Bun.write(join(import.meta.dir, 'costs.json'), `${JSON.stringify(told, null, 2)}\n`)
  console.log(JSON.stringify(told, null, 2))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
