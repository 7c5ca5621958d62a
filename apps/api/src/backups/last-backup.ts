import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileFsync } from '@reeve/db'

/** The outcome of the last backups of a data folder. Times are epoch milliseconds. */
export interface LastBackup {
  readonly made: { readonly at: number; readonly file: string } | null
  /** The last attempt, if it failed. */
  readonly failed: { readonly at: number; readonly problem: string } | null
}

const NO_BACKUP: LastBackup = { made: null, failed: null }
const lastBackupPath = (dataDir: string): string => join(dataDir, 'last-backup.json')

/** Reads the file. A missing or unreadable file counts as no backup. */
export function readLastBackup(dataDir: string): LastBackup {
  try {
    const parsed = JSON.parse(readFileSync(lastBackupPath(dataDir), 'utf8')) as Partial<LastBackup>
    const made = parsed.made
    const failed = parsed.failed
    return {
      made: Number.isFinite(made?.at) && typeof made?.file === 'string' ? made : null,
      failed: Number.isFinite(failed?.at) && typeof failed?.problem === 'string' ? failed : null,
    }
  } catch {
    return NO_BACKUP
  }
}

/** Replaces the file atomically. */
export function writeLastBackup(dataDir: string, lastBackup: LastBackup): void {
  const file = lastBackupPath(dataDir)
  writeFileFsync(`${file}.new`, `${JSON.stringify(lastBackup)}\n`)
  renameSync(`${file}.new`, file)
}
