import { Database } from 'bun:sqlite'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { verifyAudit } from '@reeve/audit'
import { createAccount } from '@reeve/auth'
import { type Actor, anonymousActor, permissions } from '@reeve/core'
import { checksumFile, databasePath, inspectDatabase, openDataFolder } from '@reeve/db'
import { formatId } from '../../bench/stored-ids.ts'
import { BINARY, type CommandResult, runReeve } from '../../support/program.ts'
import { ports } from './populate.ts'
import { withKillAtSyscall } from './strace.ts'

/** The audit rows of a database in commit order. */
export function readAuditIds(file: string): string[] {
  const engine = new Database(file, { readonly: true })
  try {
    return engine
      .query<{ id: string }, []>('select hex(id) as id from audit order by rowid')
      .all()
      .map(({ id }) => id)
  } finally {
    engine.close()
  }
}

export const isSameHistory = (first: readonly string[], second: readonly string[]): boolean =>
  first.length === second.length && first.every((id, index) => id === second[index])

/** Problems of a database. */
export async function findFaults(file: string): Promise<string[]> {
  const name = basename(file)
  try {
    const inspection = inspectDatabase(file)
    try {
      const { faults } = await verifyAudit(inspection.read, ports)
      return [
        ...(await inspection.integrity()),
        ...(await inspection.foreignKeys()),
        ...faults.map(({ workspaceId, fault }) => `chain of ${workspaceId}: ${fault}`),
      ].map((fault) => `${name}: ${fault}`)
    } finally {
      inspection.close()
    }
  } catch (error) {
    return [`${name} does not open: ${(error as Error).message}`]
  }
}

/** Files named like a backup in a folder. */
export const listBackups = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^reeve-.*\.db$/.test(name))
        .sort()
        .map((name) => join(folder, name))
    : []

/** Problems of a backup, including a wrong checksum. */
export async function findBackupFaults(file: string): Promise<string[]> {
  const checksumPath = `${file}.sha256`
  if (!existsSync(checksumPath)) return [`${basename(file)} has no checksum`]
  if (!readFileSync(checksumPath, 'utf8').startsWith(await checksumFile(file)))
    return [`${basename(file)} does not match its checksum`]
  return findFaults(file)
}

/** System calls before which a kill can matter, and how many of each to choose from. */
const SYSCALLS: readonly (readonly [string, number])[] = [
  ['rename', 2],
  ['link', 1],
  ['unlink', 2],
  ['fsync', 7],
  ['ftruncate', 1],
  ['pwrite64', 70],
  ['openat', 60],
]

/** Runs a command and kills it at a randomly chosen system call; with fewer calls it finishes. */
export async function runReeveKilled(
  args: readonly string[],
  dataDir: string,
  random: () => number,
): Promise<CommandResult & { readonly killPoint: string }> {
  const [syscall, maxCount] = SYSCALLS[Math.floor(random() * SYSCALLS.length)] as (typeof SYSCALLS)[number]
  const callNumber = 1 + Math.floor(random() * maxCount)
  const result = await runReeve(args, { dataDir, program: withKillAtSyscall(syscall, callNumber, BINARY) })
  return { ...result, killPoint: `${syscall} ${callNumber}` }
}

/** The requests whose changes a database contains. */
export function readRequestIds(file: string): Set<string> {
  const engine = new Database(file, { readonly: true })
  try {
    const rows = engine.query<{ id: Uint8Array }, []>('select distinct request_id as id from audit').all()
    return new Set(rows.map(({ id }) => String(formatId(id))))
  } finally {
    engine.close()
  }
}

/** Makes a further change in a folder and copies the folder with the change only in the WAL, as after a kill. */
export async function copyWithUncheckpointedLog(from: string, to: string): Promise<void> {
  const { database } = await openDataFolder(from, { now: ports.now })
  const actor: Actor = { ...anonymousActor, id: 'faults', name: 'faults', permissions: new Set(permissions) }
  await database.write((tx) =>
    createAccount(tx, ports, actor, {
      username: 'later',
      passwordHash: 'nobody signs in',
      isOperator: false,
    }),
  )
  cpSync(from, to, { recursive: true })
  await database.close()
}

/** Starts on a folder like a server and returns what it contains, or why it does not start. */
export async function readHistoryAfterStart(folder: string): Promise<string[]> {
  try {
    const { database } = await openDataFolder(folder, { now: ports.now })
    await database.close()
  } catch (error) {
    return [(error as Error).message]
  }
  return readAuditIds(databasePath(folder))
}

/** The databases that a restore has kept in a folder. */
export const listReplacedDatabases = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^reeve\.db\.before-restore-[0-9TZ]+$/.test(name))
    .map((name) => join(folder, name))

/** Creates an instance; the password is read from standard input. */
export const INIT_ARGS = [
  ...['init', '--username', 'robin', '--password-stdin'],
  ...['--group-name', 'Night Owls', '--key-name', 'k'],
]
export const INIT_PASSWORD = 'quartz harbor lantern 47'
