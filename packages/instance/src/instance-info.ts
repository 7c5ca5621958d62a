import { type Ports, wire } from '@reeve/core'
import { type Database, type Queries, statement } from '@reeve/db'
import { formatNullableTime } from '@reeve/http'

const accounts = statement()((sql) =>
  sql.selectFrom('account').select((eb) => eb.fn.countAll<number>().as('count')),
)
const workspaces = statement()((sql) =>
  sql.selectFrom('workspace').select((eb) => eb.fn.countAll<number>().as('count')),
)
/** Counted by the case numbers given out: records by the million are not counted one by one. */
const records = statement()((sql) =>
  sql.selectFrom('workspace_head').select((eb) => eb.fn.sum<number>('case_number').as('count')),
)
const media = statement()((sql) =>
  sql
    .selectFrom('media')
    .select((eb) => [
      eb.fn.count<number>('bytes').as('count'),
      eb.fn.sum<number>(eb.fn('octet_length', ['bytes'])).as('bytes'),
    ]),
)

/** How the backups of an instance are. Times are epoch milliseconds. */
export interface BackupStatus {
  readonly verdict: 'ok' | 'warning' | 'fault'
  readonly found: string
  readonly advice: string | null
  readonly made: { readonly at: number; readonly file: string } | null
  readonly failed: { readonly at: number; readonly problem: string } | null
}

/** What the instance is told of the program that runs it. */
export interface ProgramInfo {
  readonly version: string
  readonly backups: () => BackupStatus
}

/** How the instance is: its size, its room, and how it is doing. `startedAt` in epoch milliseconds. */
export async function getInstanceInfo(db: Database, ports: Ports, program: ProgramInfo, startedAt: number) {
  const { bytes, disk } = await db.diskUsage()
  const storedMedia = await db.read.first(media, {})
  const { made, failed, verdict, found, advice } = program.backups()
  const { committed, waiting } = db.stats()
  return {
    instance: {
      version: program.version,
      engine: db.engine(),
      startedAt: wire.time.write(startedAt),
      uptimeSeconds: String(Math.floor((ports.now() - startedAt) / 1000)),
      memoryBytes: String(process.memoryUsage.rss()),
      databaseBytes: String(bytes),
      disk: disk && { freeBytes: String(disk.free), totalBytes: String(disk.total) },
      media: { count: String(storedMedia?.count ?? 0), bytes: String(storedMedia?.bytes ?? 0) },
      writes: { committed: String(committed), waiting: String(waiting) },
      accounts: await runCount(db.read, accounts),
      workspaces: await runCount(db.read, workspaces),
      records: await runCount(db.read, records),
      backup: {
        verdict,
        found,
        advice,
        madeAt: formatNullableTime(made?.at ?? null),
        file: made?.file ?? null,
        failedAt: formatNullableTime(failed?.at ?? null),
        problem: failed?.problem ?? null,
      },
    },
  }
}

const runCount = async (db: Queries, countStatement: typeof accounts): Promise<string> =>
  String((await db.first(countStatement, {}))?.count ?? 0)
