import { Database as Engine } from 'bun:sqlite'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MAX_ID } from '@reeve/core'
import { addPlayerName, databasePath, insertAll, type RecordTable, statement } from '@reeve/db'
import { moveData } from '@reeve/db/move'
import { createTestStorage, type TestStorage } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { createPlayerName, pickSyllable } from './player-names.ts'
import { createWarningRow } from './record-rows.ts'
import { seededRandom } from './seeded-random.ts'

/**
 * `bun test/bench/search.ts [--engine sqlite|postgres] [--workspaces 1] [--names 1000000] [--json <file>]`: how long a search for
 * players takes, its processor time, and that of its longest turn of the event loop (p50 / p99 in ms), for the table in `docs/performance.md`. Each name is of another
 * player, and each player has one record.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    workspaces: { type: 'string', default: '1' },
    names: { type: 'string', default: '1000000' },
    json: { type: 'string' },
  },
})
const { engine } = values
if (engine !== 'sqlite' && engine !== 'postgres') throw new Error('--engine must be sqlite or postgres')
const [workspaceCount, nameCount] = [Number(values.workspaces), Number(values.names)]
const output = values.json ?? join(import.meta.dir, `../../dist/search-${engine}-${workspaceCount}.json`)

const SEED = 20_260_301
const START = Date.UTC(2026, 0, 1)
const ROWS_PER_UNIT = 500
const ROUNDS = 200
const WARM_UP_ROUNDS = 20
const PROGRESS_INTERVAL = 100_000

const log = (line: string) => process.stderr.write(`${line}\n`)

const random = seededRandom(SEED)
const pick = () => pickSyllable(random)
const createName = () => createPlayerName(random)

const insertRecord = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))

const createRecord = (workspaceId: string, index: number, name: string): RecordTable =>
  createWarningRow(START, index, { workspace_id: workspaceId, user_username: name })

/** Fills an instance. The workspaces get names in turns, so that those of one are spread over the whole index. */
async function fill({ db }: Instance, workspaceIds: readonly string[]): Promise<void> {
  for (let start = 0; start < nameCount; start += ROWS_PER_UNIT) {
    const batch = Array.from({ length: Math.min(ROWS_PER_UNIT, nameCount - start) }, createName)
    await db.write(async (tx) => {
      for (const [offset, name] of batch.entries()) {
        const record = createRecord(
          workspaceIds[(start + offset) % workspaceIds.length] ?? MAX_ID,
          start + offset,
          name,
        )
        await tx.run(insertRecord, record)
        await addPlayerName(tx, { workspaceId: record.workspace_id, userId: record.user_id, name })
      }
    })
    if ((start + ROWS_PER_UNIT) % PROGRESS_INTERVAL === 0) log(`${start + ROWS_PER_UNIT} names`)
  }
}

/** The size of the names and their index, in bytes per name. */
function measureSize({ dataDir }: TestStorage) {
  const database = new Engine(databasePath(dataDir))
  const sizeOf = (pattern: string) =>
    Number(
      database
        .query<{ bytes: number }, [string]>('select sum(pgsize) as bytes from dbstat where name like ?')
        .get(pattern)?.bytes ?? 0,
    ) / nameCount
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const names = sizeOf('player_name') + sizeOf('player_name_by_id')
  const index = sizeOf('player_name_gram%')
  database.close()
  return { names: Math.round(names), index: Math.round(index) }
}

/** Searches of each kind. A common one matches a tenth of all names, and none of the last kind matches although its parts do. */
const searches: Readonly<Record<string, (index: number) => string>> = {
  'rare: one name in 10,000': () => `${pick()}${Math.floor(random() * 9000) + 1000}`,
  'common: the start of a tenth of the names': () => 'builder',
  'common: inside a tenth of the names': () => 'uilde',
  'short: one letter': (index) => 'bdkrs'.charAt(index % 5),
  'short: two letters': () => pick().slice(0, 2),
  'absent: unknown characters': () => 'qqxyz',
  'absent: frequent parts, never together': (index) =>
    ['knightdarkfire', 'wolfbuilder', 'dragonbobstarice'][index % 3] ?? '',
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

/** The processor time of this process in milliseconds, which other programs on the machine do not change. */
const readCpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Runs `work` and returns the most processor time that passed between two turns of the event loop, in milliseconds. */
async function measureLongestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0
  let isDone = false
  const watch = (async () => {
    for (let last = readCpu(); !isDone; ) {
      await new Promise((resolve) => setImmediate(resolve))
      const now = readCpu()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  await work()
  isDone = true
  await watch
  return longest
}

async function measureSearches(
  instance: Instance,
  workspaces: readonly { id: string; ownerSession: string }[],
) {
  const rows: Record<string, string | number>[] = []
  for (const [name, createQuery] of Object.entries(searches)) {
    const samples: { time: number; cpu: number; turn: number }[] = []
    let found = 0
    const runSearch = async (round: number) => {
      const workspace = workspaces[Math.floor(random() * workspaces.length)]
      const query = new URLSearchParams({ workspaceId: workspace?.id ?? '', q: createQuery(round) })
      const { status, text, body } = await instance.request('GET', `/portal/api/players?${query}`, {
        session: workspace?.ownerSession ?? '',
      })
      if (status !== 200) throw new Error(text)
      found += body.players.length
    }
    for (let round = 0; round < WARM_UP_ROUNDS; round++) await runSearch(round)
    found = 0
    for (let round = 0; round < ROUNDS; round++) {
      const [startedAt, cpuBefore] = [performance.now(), readCpu()]
      await runSearch(round)
      const [time, cpu] = [performance.now() - startedAt, readCpu() - cpuBefore]
      samples.push({ time, cpu, turn: await measureLongestTurn(() => runSearch(round)) })
    }
    const column = (key: 'time' | 'cpu' | 'turn') => {
      const sorted = samples.map((sample) => sample[key]).sort((one, other) => one - other)
      return [0.5, 0.99].map((part) => percentile(sorted, part).toFixed(1)).join(' / ')
    }
    rows.push({
      search: name,
      found: Math.round(found / ROUNDS / 2),
      time: column('time'),
      cpu: column('cpu'),
      turn: column('turn'),
    })
    log(JSON.stringify(rows.at(-1)))
  }
  return rows
}

const storage = await createTestStorage('SQLite')
let instance = await openInstance({ storage })
const workspaces: Awaited<ReturnType<Instance['workspace']>>[] = []
for (let index = 0; index < workspaceCount; index++) workspaces.push(await instance.workspace())
log(`Filling ${workspaceCount} workspaces with ${nameCount} names`)
const startedAt = performance.now()
await fill(
  instance,
  workspaces.map(({ id }) => id),
)
log(`${((1000 * (performance.now() - startedAt)) / nameCount).toFixed(0)} µs per record with a new name`)
const bytesPerName = engine === 'sqlite' ? measureSize(storage) : null
const { clock } = instance
if (engine === 'postgres') {
  await instance.flush()
  await instance.db.close()
  const server = await createTestStorage('PostgreSQL', 'template1')
  log('Moving the data to PostgreSQL')
  await moveData(storage, server, Date.now, () => {})
  await storage.remove()
  instance = await openInstance({ storage: server, clock })
}
const rows = await measureSearches(instance, workspaces)
mkdirSync(join(output, '..'), { recursive: true })
writeFileSync(
  output,
  `${JSON.stringify({ engine: instance.db.engine(), workspaceCount, nameCount, bytesPerName, rows }, null, 2)}\n`,
)
console.table(rows)
if (bytesPerName) console.table([bytesPerName])
await instance.close()
process.exit(0)
