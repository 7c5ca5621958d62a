import { type Ports, wire } from '@reeve/core'
import { type Database, FIRST_USERNAME_KEY, type Queries, statement } from '@reeve/db'
import { countOpenReports } from './reports/read.ts'

const accounts = statement()((sql) =>
  sql
    .selectFrom('account')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('username_key', '>', FIRST_USERNAME_KEY),
)
const workspaces = statement()((sql) =>
  sql
    .selectFrom('workspace')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('hidden', 'is', null),
)
/** The sum of assigned case numbers: counting millions of rows would be slow. */
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

/** The status of an instance's backups. Times are epoch milliseconds. */
export interface BackupStatus {
  readonly verdict: 'ok' | 'warning' | 'fault'
  readonly found: string
  readonly advice: string | null
  readonly made: { readonly at: number; readonly file: string } | null
  readonly failed: { readonly at: number; readonly problem: string } | null
}

/** Information about the program that runs the instance. */
export interface ProgramInfo {
  readonly version: string
  readonly backups: () => BackupStatus
  /** What requests say about mistakes in the deployment, since the process started. */
  readonly warnings: () => readonly DeploymentWarning[]
}

/** A mistake in the deployment, and what to do. */
export interface DeploymentWarning {
  readonly found: string
  readonly advice: string
}

/** Reads the size, disk usage, load and backup status of the instance. @param startedAt epoch milliseconds */
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
      openReports: String(await countOpenReports(db.read)),
      backup: {
        verdict,
        found,
        advice,
        madeAt: wire.writeNullableTime(made?.at ?? null),
        file: made?.file ?? null,
        failedAt: wire.writeNullableTime(failed?.at ?? null),
        problem: failed?.problem ?? null,
      },
      warnings: [...program.warnings()],
    },
  }
}

const runCount = async (db: Queries, countStatement: typeof accounts): Promise<string> =>
  String((await db.first(countStatement, {}))?.count ?? 0)
