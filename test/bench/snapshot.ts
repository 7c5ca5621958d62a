import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { watchMemory } from '../load/support/resources.ts'
import { createMaxLine, type Line } from './report.ts'
import { seed } from './seed.ts'
import { startReeve } from './servers.ts'

const MAX_SECONDS = 5
/** 3 MB for 1,000,000 bans. */
const MAX_BYTES_PER_BAN = 3
/** How often a server with the memory of one snapshot sends it again. */
const REPETITIONS = 3
/** Flat memory: what one snapshot needs is enough for the next. */
const MAX_GROWTH = 1.25

const formatMiB = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`

/** S12: all bans of one workspace as ids. */
export async function measureSnapshot(
  scratch: string,
  bans: number,
  log: (line: string) => void,
): Promise<Line[]> {
  log('S12: snapshot of all bans as ids')
  const folder = join(scratch, 'snapshot')
  const size = { workspaces: 1, records: bans, eventsEach: 0, spreadsPlayers: true }
  const data = await seed(join(folder, 'reeve'), size, log)
  const [workspaceId, key] = readFileSync(data.callers, 'utf8').trim().split(' ') as [string, string]
  const server = await startReeve(data.settings)
  const readSnapshot = async () => {
    const url = `${server.url}/api/changes/snapshot?workspaceId=${workspaceId}&kinds=ban&format=ids`
    const startedAt = performance.now()
    const memory = watchMemory(server.pid)
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    })
    const text = await response.text()
    const seconds = (performance.now() - startedAt) / 1000
    const count = Number((JSON.parse(text) as { sets?: { count: string }[] }).sets?.[0]?.count)
    if (count !== bans) throw new Error(`the snapshot returned ${response.status} with ${count} bans`)
    return { seconds, bytes: text.length, peak: memory.stop().peak }
  }
  try {
    const first = await readSnapshot()
    let peak = 0
    for (let round = 0; round < REPETITIONS; round++) peak = Math.max(peak, (await readSnapshot()).peak)
    const work = `snapshot of ${bans.toLocaleString('en')} bans as ids`
    return [
      createMaxLine(1, {
        promise: 'S12',
        work: `${work}: time`,
        reeve: `${first.seconds.toFixed(2)} s`,
        compared: `${MAX_SECONDS} s`,
        ratio: first.seconds / MAX_SECONDS,
      }),
      createMaxLine(1, {
        promise: 'S12',
        work: `${work}: size`,
        reeve: `${first.bytes.toLocaleString('en')} bytes`,
        compared: `${MAX_BYTES_PER_BAN} bytes a ban`,
        ratio: first.bytes / (MAX_BYTES_PER_BAN * bans),
      }),
      createMaxLine(MAX_GROWTH, {
        promise: 'S12',
        work: `${work}: memory of ${REPETITIONS} more`,
        reeve: formatMiB(peak),
        compared: `${formatMiB(first.peak)} for the first`,
        ratio: peak / first.peak,
      }),
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
