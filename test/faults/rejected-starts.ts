import { Database } from 'bun:sqlite'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { databasePath } from '@reeve/db'
import { pollUntil } from '../support/poll.ts'
import { BINARY, type CommandResult, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { FaultResult } from './support/fault.ts'
import { populate } from './support/populate.ts'

/** The user nobody on Linux. Source: kernel.overflowuid */
const NOBODY_UID = 65_534

/** Every file of a folder except locks, shared memory and an empty WAL. */
function hashFolder(folder: string): string {
  if (!existsSync(folder)) return 'nothing'
  return readdirSync(folder)
    .filter((name) => !/\.lock$|-shm$|\.sock$/.test(name))
    .filter((name) => !name.endsWith('-wal') || statSync(join(folder, name)).size > 0)
    .sort()
    .map(
      (name) =>
        `${name} ${new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, name))).digest('hex')}`,
    )
    .join('\n')
}

interface RejectedStart {
  readonly title: string
  /** Prepares the folder; the returned function undoes it. */
  readonly prepare: (folder: string) => Promise<(() => Promise<unknown>) | undefined>
  /** A part of the expected message. */
  readonly expectedMessage: RegExp
  readonly asUnprivileged?: true
}

const rejectedStarts: readonly RejectedStart[] = [
  {
    title: 'an older program on newer data',
    expectedMessage: /newer Reeve \(it has 9999-later\).*nothing was changed/,
    async prepare(folder) {
      executeSql(folder, "insert into migration (name, applied_at) values ('9999-later', 0)")
      return undefined
    },
  },
  {
    title: 'an older program on newer data that a killed server left in the WAL',
    expectedMessage: /newer Reeve/,
    async prepare(folder) {
      const copyDir = `${folder}-killed`
      const engine = new Database(databasePath(folder))
      engine.run("insert into migration (name, applied_at) values ('9999-later', 0)")
      cpSync(folder, copyDir, { recursive: true })
      engine.close()
      rmSync(folder, { recursive: true })
      cpSync(copyDir, folder, { recursive: true })
      rmSync(copyDir, { recursive: true })
      rmSync(`${databasePath(folder)}-shm`, { force: true })
      return undefined
    },
  },
  {
    title: 'a second process on one folder',
    expectedMessage: /Another Reeve process is using/,
    async prepare(folder) {
      const otherServer = await startServer({ dataDir: folder, program: BINARY })
      // The only writes of a server without requests, right after its start.
      await pollUntil(async () => hasRunJob(folder, 'activity'), 'the first process has counted activity')
      await pollUntil(async () => hasCountedStorage(folder), 'the first process has counted the stored bytes')
      return async () => {
        const { status } = await fetch(`${otherServer.url}/readyz`)
        if (status !== 200) throw new Error('the first process no longer responds')
        await otherServer.stop()
      }
    },
  },
  {
    title: 'a folder that is not writable',
    expectedMessage: /cannot be written to.*REEVE_DATA_DIR/,
    asUnprivileged: true,
    async prepare(folder) {
      chmodSync(folder, 0o755)
      return undefined
    },
  },
  {
    title: 'a folder whose database belongs to another user',
    expectedMessage: /cannot be written to by this user.*chown/,
    asUnprivileged: true,
    async prepare(folder) {
      chownSync(folder, NOBODY_UID, NOBODY_UID)
      return undefined
    },
  },
  {
    title: 'a folder with other files',
    expectedMessage: /holds other files \(thesis\.odt\)/,
    async prepare(folder) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      writeFileSync(join(folder, 'thesis.odt'), 'mine')
      return undefined
    },
  },
  {
    title: 'a folder whose database is missing',
    expectedMessage: /reeve\.db is missing\. Put the file or a backup/,
    async prepare(folder) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${databasePath(folder)}${suffix}`, { force: true })
      return undefined
    },
  },
  {
    title: 'a database file that is not a database',
    expectedMessage: /not a database/,
    async prepare(folder) {
      writeFileSync(databasePath(folder), 'this is no database, however long it is '.repeat(1000))
      return undefined
    },
  },
]

/** Whether a server with this folder has claimed a run of a job. */
function hasRunJob(folder: string, name: string): boolean {
  const engine = new Database(databasePath(folder), { readonly: true })
  const row = engine.query('select 1 from job where name = ?').get(name)
  engine.close()
  return row !== null
}

/** Whether a server with this folder has counted what each workspace stores. */
function hasCountedStorage(folder: string): boolean {
  const engine = new Database(databasePath(folder), { readonly: true })
  const uncounted = engine
    .query(
      'select 1 from workspace_head where storage_counted_at = 0 and workspace_id in (select id from workspace)',
    )
    .get()
  engine.close()
  return uncounted === null
}

function executeSql(folder: string, sql: string): void {
  const engine = new Database(databasePath(folder))
  engine.run(sql)
  engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  engine.close()
}

/** Starts a server that must exit with an error message, and checks that no byte of the folder changed. */
export async function checkRejectedStarts(): Promise<FaultResult> {
  const isRoot = process.getuid?.() === 0
  const failures: string[] = []
  const stats = { 'rejected starts': 0, 'skipped (needs root)': 0 }
  for (const rejectedStart of rejectedStarts) {
    if (rejectedStart.asUnprivileged && !isRoot) {
      stats['skipped (needs root)'] += 1
      continue
    }
    const folder = temporaryFolder()
    try {
      await populate(folder.data, 1)
      const cleanUp = await rejectedStart.prepare(folder.data)
      chmodSync(folder.path, 0o755)
      const before = hashFolder(folder.data)
      const result = await tryServe(folder.data, rejectedStart.asUnprivileged ?? false)
      if (result.exitCode !== 1 || result.out !== '' || !rejectedStart.expectedMessage.test(result.err)) {
        failures.push(`${rejectedStart.title}: exited with ${result.exitCode}: ${result.err}${result.out}`)
      }
      if (hashFolder(folder.data) !== before) failures.push(`${rejectedStart.title}: something was written`)
      stats['rejected starts'] += 1
      await cleanUp?.()
    } finally {
      folder.remove()
    }
  }
  return { stats, failures }
}

/** Seconds, longer than any rejected start takes: a server that keeps running is stopped and reported. */
const TIMEOUT_S = 10

const tryServe = (dataDir: string, asUnprivileged: boolean): Promise<CommandResult> =>
  runReeve(['serve', '--port', '0'], {
    dataDir,
    program: [
      ...['timeout', '--signal=KILL', `${TIMEOUT_S}`],
      ...(asUnprivileged
        ? ['setpriv', `--reuid=${NOBODY_UID}`, `--regid=${NOBODY_UID}`, '--clear-groups']
        : []),
      ...BINARY,
    ],
  })
