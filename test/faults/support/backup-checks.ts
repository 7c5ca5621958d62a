import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { verifyAudit } from '@reeve/audit'
import { checksumFile, inspectDatabase } from '@reeve/db'
import { formatId } from '../../bench/stored-ids.ts'
import { BINARY, type CommandResult, runReeve } from '../../support/program.ts'
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
      const { faults } = await verifyAudit(inspection.read)
      return [
        ...inspection.integrity(),
        ...inspection.foreignKeys(),
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
