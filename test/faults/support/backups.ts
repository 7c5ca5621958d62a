import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { verifyAudit } from '@reeve/audit'
import { checksumFile, inspectDatabase } from '@reeve/db'
import { BINARY, type Ended, reeve } from '../../support/program.ts'
import { killedAt } from './strace.ts'

/** A database as its audit log tells it: the rows in the order in which they were committed. */
export function historyOf(file: string): string[] {
  const engine = new Database(file, { readonly: true })
  try {
    return engine
      .query<{ id: string }, []>('select id from audit order by rowid')
      .all()
      .map(({ id }) => id)
  } finally {
    engine.close()
  }
}

export const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, at) => id === other[at])

/** What is wrong with a database, in words. */
export async function faultsIn(file: string): Promise<string[]> {
  const name = basename(file)
  try {
    const inspection = inspectDatabase(file)
    try {
      const { faults } = await verifyAudit(inspection.read)
      return [
        ...inspection.integrity(),
        ...inspection.foreignKeys(),
        ...faults.map(({ workspaceId, fault }) => `chain of ${workspaceId}: ${fault}`),
      ].map((found) => `${name}: ${found}`)
    } finally {
      inspection.close()
    }
  } catch (error) {
    return [`${name} does not open: ${(error as Error).message}`]
  }
}

/** What has the name of a backup in a folder. */
export const backupsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^reeve-.*\.db$/.test(name))
        .sort()
        .map((name) => join(folder, name))
    : []

/** What is wrong with a backup, its checksum included. */
export async function faultsInBackup(file: string): Promise<string[]> {
  const beside = `${file}.sha256`
  if (!existsSync(beside)) return [`${basename(file)} has no checksum`]
  if (!readFileSync(beside, 'utf8').startsWith(await checksumFile(file)))
    return [`${basename(file)} is not what its checksum says`]
  return faultsIn(file)
}

/** The calls to the system between which a kill can make a difference, and how many of each there are to choose from. */
const CALLS: readonly (readonly [string, number])[] = [
  ['rename', 2],
  ['link', 1],
  ['unlink', 2],
  ['fsync', 7],
  ['ftruncate', 1],
  ['pwrite64', 70],
  ['openat', 60],
]

/** Runs a command and kills it at a call chosen by chance; one that makes fewer of them ends by itself. */
export async function reeveKilled(
  args: readonly string[],
  dataDir: string,
  chance: () => number,
): Promise<Ended & { readonly at: string }> {
  const [call, most] = CALLS[Math.floor(chance() * CALLS.length)] as (typeof CALLS)[number]
  const when = 1 + Math.floor(chance() * most)
  const ended = await reeve(args, { dataDir, program: killedAt(call, when, BINARY) })
  return { ...ended, at: `${call} ${when}` }
}

/** The requests whose changes a database holds. */
export function requestsIn(file: string): Set<string> {
  const engine = new Database(file, { readonly: true })
  try {
    const rows = engine.query<{ id: string }, []>('select distinct request_id as id from audit').all()
    return new Set(rows.map(({ id }) => id))
  } finally {
    engine.close()
  }
}
