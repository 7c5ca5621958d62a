import { parseArgs } from 'node:util'
import type { EngineName } from '../support/engine.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { createPlayerName } from './player-names.ts'
import { createMaxLine, type Line } from './report.ts'
import { seededRandom } from './seeded-random.ts'

/** S11: the bytes on disk of a record, with its audit entry and the indexes of both. */
const MAX_RECORD_BYTES = 1000

const SEED = 20_260_301
const CONCURRENT_REQUESTS = 64
const PROGRESS_INTERVAL = 50_000
const FIRST_PLAYER = 2_000_000_000
const REASONS = [
  'Spamming the trade channel',
  'Exploiting in the tower',
  'Insulting other players in chat after two warnings',
  'Teleporting',
]
/** Four of ten records are bans, each of another player. The others are about players who have been banned. */
const ACTIONS = ['ban', 'warn', 'ban', 'kick', 'ban', 'warn', 'ban', 'note', 'warn', 'kick']

/** A table or an index and its size. */
interface StoredObject {
  readonly name: string
  readonly table: string
  readonly bytes: number
}

/** The sizes of all objects. SQLite counts its free pages to none of them. */
const SIZE_QUERIES: Readonly<Record<EngineName, string>> = {
  SQLite: `select stat.name as name, coalesce(master.tbl_name, stat.name) as "table", stat.pgsize as bytes
    from dbstat stat left join sqlite_master master on master.name = stat.name where stat.aggregate = 1`,
  PostgreSQL: `select c.relname as name, coalesce(t.relname, c.relname) as "table",
      pg_relation_size(c.oid) + case when c.relkind = 'r' then
        pg_table_size(c.oid) - pg_relation_size(c.oid) else 0 end as bytes
    from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')`,
}

export interface RecordSize {
  readonly records: number
  /** The objects of `record`, `audit` and everything else, in bytes per record, largest first. */
  readonly objects: readonly (Omit<StoredObject, 'bytes'> & { readonly bytesPerRecord: number })[]
}

/** Creates records through the whole API and measures what they add to the database. */
export async function measureRecordSize(
  engine: EngineName,
  size: { readonly records: number; readonly workspaces: number },
  log: (line: string) => void,
): Promise<RecordSize> {
  const instance = await openInstance({ engine })
  try {
    const workspaces = []
    for (let index = 0; index < size.workspaces; index++) workspaces.push(await instance.workspace())
    await createRecords(instance, workspaces, size.records, log)
    await instance.flush()
    if (engine === 'PostgreSQL') await instance.storage.query('vacuum')
    const objects = await instance.storage.query<StoredObject>(SIZE_QUERIES[engine])
    return {
      records: size.records,
      objects: objects
        .map(({ name, table, bytes }) => ({ name, table, bytesPerRecord: Number(bytes) / size.records }))
        .filter(({ bytesPerRecord }) => bytesPerRecord >= 1)
        .sort((one, other) => other.bytesPerRecord - one.bytesPerRecord),
    }
  } finally {
    await instance.close()
  }
}

async function createRecords(
  instance: Instance,
  workspaces: readonly { readonly id: string; readonly key: string }[],
  count: number,
  log: (line: string) => void,
): Promise<void> {
  const random = seededRandom(SEED)
  let next = 0
  const createAll = async () => {
    while (next < count) {
      const index = next++
      const workspace = workspaces[index % workspaces.length]
      if (!workspace) throw new Error('there is no workspace')
      const response = await instance.request('POST', '/api/moderation', {
        key: workspace.key,
        body: { workspaceId: workspace.id, ...createRequest(index, random) },
      })
      if (response.status !== 200) throw new Error(response.text)
      if ((index + 1) % PROGRESS_INTERVAL === 0) {
        instance.clock.advance(60_000)
        log(`S11: ${(index + 1).toLocaleString('en')} of ${count.toLocaleString('en')} records`)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, createAll))
}

/** The fields of a request as a game server sends them. */
function createRequest(index: number, random: () => number) {
  const action = ACTIONS[index % ACTIONS.length] ?? 'ban'
  const player = action === 'ban' ? index : Math.floor((random() * index) / ACTIONS.length) * ACTIONS.length
  return {
    action,
    userId: String(FIRST_PLAYER + player),
    userUsername: createPlayerName(seededRandom(player)),
    reason: REASONS[index % REASONS.length],
    ...(index % 20 === 0 && { durationSeconds: 86_400 }),
    actorPlatformUserId: String(FIRST_PLAYER - (index % 30)),
    actorUsername: `Moderator${index % 30}`,
  }
}

/** The bytes per record in some tables and their indexes. */
const sumBytes = ({ objects }: RecordSize, tables: readonly string[]): number =>
  objects.reduce((sum, { table, bytesPerRecord }) => sum + (tables.includes(table) ? bytesPerRecord : 0), 0)

/** S11 as a row of the table. */
export function toSizeLine(engine: EngineName, size: RecordSize): Line {
  const bytes = sumBytes(size, ['record', 'audit'])
  return createMaxLine(1, {
    promise: 'S11',
    work: `a record and its audit entry, of ${size.records.toLocaleString('en')} on ${engine}`,
    reeve: `${Math.round(bytes).toLocaleString('en')} bytes`,
    compared: `${MAX_RECORD_BYTES.toLocaleString('en')} bytes`,
    ratio: bytes / MAX_RECORD_BYTES,
  })
}

/** `bun test/bench/record-size.ts [--engine postgres] [--records 20000] [--workspaces 100]`: the size of every table and index. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'sqlite' },
      records: { type: 'string', default: '1000000' },
      workspaces: { type: 'string', default: '100' },
    },
  })
  const engine = values.engine === 'postgres' ? 'PostgreSQL' : 'SQLite'
  const size = await measureRecordSize(
    engine,
    { records: Number(values.records), workspaces: Number(values.workspaces) },
    (line) => process.stderr.write(`${line}\n`),
  )
  const rows = size.objects.map(
    ({ name, table, bytesPerRecord }) => `| ${table} | ${name} | ${bytesPerRecord.toFixed(1)} |`,
  )
  const line = toSizeLine(engine, size)
  process.stdout.write(
    `${['| table | object | bytes per record |', '|---|---|---|', ...rows].join('\n')}\n\n` +
      `${line.work}: ${line.reeve}, at most ${line.compared}\n`,
  )
}

if (import.meta.main) {
  await main()
  process.exit()
}
