import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { watchMemory } from '../load/support/resources.ts'
import { createMaxLine, formatTable, type Line } from './report.ts'
import { type SeededData, seed } from './seed.ts'
import { moveSeedToPostgres } from './seed-server.ts'
import { startReeve } from './servers.ts'

const MAX_SECONDS = 5
/** 3 MB for 1,000,000 bans, of which this share expires. */
const MAX_BYTES_PER_BAN = 3
const EXPIRING_SHARE = 0.02
/** How often a server with the memory of one snapshot sends it again. */
const REPETITIONS = 3
/** Flat memory: the first snapshot and those after it add no more than this to the memory of an idle server, in bytes. */
const MAX_MEMORY = 100 * 1024 * 1024

const formatMiB = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`

interface Snapshot {
  readonly bans: number
  readonly bytes: number
}

/** What reading a snapshot cost. */
interface Cost extends Snapshot {
  readonly seconds: number
  /** The peak of memory that is not that of files, in bytes. */
  readonly peak: number
}

interface Reader {
  readonly name: string
  readonly read: (send: (query: string) => Promise<string>) => Promise<Snapshot>
}

/** One body with the ids of all players. */
const idsReader: Reader = {
  name: 'as ids',
  async read(send) {
    const text = await send('format=ids')
    const { sets } = JSON.parse(text) as { sets?: { count: string }[] }
    return { bans: Number(sets?.[0]?.count), bytes: text.length }
  },
}

/** Pages of JSON, one after the other. */
const pagesReader: Reader = {
  name: 'in pages',
  async read(send) {
    let [bans, bytes] = [0, 0]
    for (let cursor: string | null = ''; cursor !== null; ) {
      const text = await send(cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`)
      const page = JSON.parse(text) as { sanctions?: unknown[]; nextCursor?: string | null }
      bans += page.sanctions?.length ?? Number.NaN
      bytes += text.length
      cursor = page.nextCursor ?? null
    }
    return { bans, bytes }
  },
}

/** S12: all bans of one workspace, as ids and as pages. @param engine where the data are */
export async function measureSnapshot(
  scratch: string,
  bans: number,
  engine: 'sqlite' | 'postgres',
  log: (line: string) => void,
): Promise<Line[]> {
  log('S12: snapshot of all bans')
  const folder = join(scratch, 'snapshot')
  const size = {
    workspaces: 1,
    records: bans,
    eventsEach: 0,
    spreadsPlayers: true,
    expiringShare: EXPIRING_SHARE,
  }
  const seeded = await seed(join(folder, 'reeve'), size, log)
  const data = engine === 'sqlite' ? seeded : (await moveSeedToPostgres(seeded, log)).postgresData
  try {
    const ids = await measureReader(data, bans, idsReader)
    const pages = await measureReader(data, bans, pagesReader)
    return [...ids.lines, toSizeLine(ids.first, `${ids.work}: size`, bans), ...pages.lines]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures one form of the snapshot on a server that has sent none before. */
async function measureReader({ callers, settings }: SeededData, bans: number, { name, read }: Reader) {
  const [workspaceId, key] = readFileSync(callers, 'utf8').trim().split(' ') as [string, string]
  const server = await startReeve(settings)
  const send = async (query: string) => {
    const url = `${server.url}/api/changes/snapshot?workspaceId=${workspaceId}&kinds=ban&${query}`
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' }
    return (await fetch(url, { headers })).text()
  }
  const measure = async (): Promise<Cost> => {
    const startedAt = performance.now()
    const memory = watchMemory(server.pid)
    const snapshot = await read(send)
    const seconds = (performance.now() - startedAt) / 1000
    if (snapshot.bans !== bans) throw new Error(`the snapshot ${name} has ${snapshot.bans} bans`)
    return { ...snapshot, seconds, peak: memory.stop().withoutFiles }
  }
  try {
    await send('limit=1')
    const idle = watchMemory(server.pid).stop().withoutFiles
    const first = await measure()
    let { peak } = first
    for (let round = 0; round < REPETITIONS; round++) peak = Math.max(peak, (await measure()).peak)
    const work = `snapshot of ${bans.toLocaleString('en')} bans ${name}`
    return { first, work, lines: toLines(work, first.seconds, peak - idle) }
  } finally {
    await server.stop()
  }
}

const toLines = (work: string, seconds: number, growth: number): Line[] => [
  createMaxLine(1, {
    promise: 'S12',
    work: `${work}: time`,
    reeve: `${seconds.toFixed(2)} s`,
    compared: `${MAX_SECONDS} s`,
    ratio: seconds / MAX_SECONDS,
  }),
  createMaxLine(1, {
    promise: 'S12',
    work: `${work}, ${1 + REPETITIONS} times: memory beyond that of an idle server`,
    reeve: formatMiB(growth),
    compared: formatMiB(MAX_MEMORY),
    ratio: growth / MAX_MEMORY,
  }),
]

const toSizeLine = ({ bytes }: Snapshot, work: string, bans: number): Line =>
  createMaxLine(1, {
    promise: 'S12',
    work: `${work}, ${EXPIRING_SHARE * 100} % of them temporary`,
    reeve: `${bytes.toLocaleString('en')} bytes`,
    compared: `${MAX_BYTES_PER_BAN} bytes a ban`,
    ratio: bytes / (MAX_BYTES_PER_BAN * bans),
  })

/** `bun test/bench/snapshot.ts [--engine postgres] [--bans 50000]`: only the snapshot, after `bun run build`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', default: 'sqlite' },
      bans: { type: 'string', default: '1000000' },
    },
  })
  const engine = values.engine === 'postgres' ? 'postgres' : 'sqlite'
  const scratch = mkdtempSync(join(tmpdir(), 'reeve-snapshot-'))
  try {
    const log = (line: string) => process.stderr.write(`${line}\n`)
    process.stdout.write(`${formatTable(await measureSnapshot(scratch, Number(values.bans), engine, log))}\n`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await main()
  process.exit()
}
