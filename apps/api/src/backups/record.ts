import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileFsync } from '@reeve/db'

/** What is known of the backups of a data folder. Times are epoch milliseconds. */
export interface BackupRecord {
  readonly made: { readonly at: number; readonly file: string } | null
  /** The last attempt, where it failed. */
  readonly failed: { readonly at: number; readonly problem: string } | null
}

const NOTHING: BackupRecord = { made: null, failed: null }
const recordIn = (dataDir: string): string => join(dataDir, 'last-backup.json')

/** Reads it; one that is missing or unreadable knows of nothing. */
export function readRecord(dataDir: string): BackupRecord {
  try {
    const read = JSON.parse(readFileSync(recordIn(dataDir), 'utf8')) as Partial<BackupRecord>
    const made = read.made
    const failed = read.failed
    return {
      made: Number.isFinite(made?.at) && typeof made?.file === 'string' ? made : null,
      failed: Number.isFinite(failed?.at) && typeof failed?.problem === 'string' ? failed : null,
    }
  } catch {
    return NOTHING
  }
}

/** Keeps it, in one step. */
export function writeRecord(dataDir: string, record: BackupRecord): void {
  const file = recordIn(dataDir)
  writeFileFsync(`${file}.new`, `${JSON.stringify(record)}\n`)
  renameSync(`${file}.new`, file)
}
