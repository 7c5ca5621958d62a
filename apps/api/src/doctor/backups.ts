import { existsSync } from 'node:fs'
import { DAY_MS } from '@reeve/core'
import { inspectDataFolder } from '@reeve/db'
import { readLastBackup } from '../backups/last-backup.ts'
import { formatAge, formatTimestamp } from '../format.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Without automatic backups: the maximum age of the last backup, and of an instance without one. */
const STALE_MS = 7 * DAY_MS
const NEW_INSTANCE_MS = DAY_MS

const ADVICE = 'Run `reeve backup`, or set REEVE_BACKUP_EVERY=24h for automatic backups.'

/**
 * Checks the last backups.
 * @param interval between automatic backups, in milliseconds; null if there are none
 */
export function checkBackups(folder: string, interval: number | null, now: number): Finding {
  const { made, failed } = readLastBackup(folder)
  if (failed !== null) {
    const lastText =
      made === null
        ? 'there is no earlier one'
        : `the last successful one is from ${formatTimestamp(made.at)}`
    return fault(
      'backup',
      `The backup at ${formatTimestamp(failed.at)} failed (${failed.problem}); ${lastText}.`,
      'Fix the cause, then run `reeve backup`.',
    )
  }
  if (made === null) {
    return isNewInstance(folder, now)
      ? ok('backup', 'There is no backup yet.')
      : warning('backup', 'There is no backup.', ADVICE)
  }
  const location = existsSync(made.file) ? made.file : `${made.file}, which no longer exists`
  const age = now - made.at
  const message = `The last backup is ${formatAge(age)} old: ${location}.`
  if (interval !== null && age > 2 * interval) {
    return fault(
      'backup',
      message,
      'The server should have created a newer one. Check that it is running, and check its log.',
    )
  }
  return interval === null && age > STALE_MS ? warning('backup', message, ADVICE) : ok('backup', message)
}

function isNewInstance(folder: string, now: number): boolean {
  try {
    const inspection = inspectDataFolder(folder)
    try {
      return now - (inspection.times().createdAt ?? now) < NEW_INSTANCE_MS
    } finally {
      inspection.close()
    }
  } catch {
    // The database checks report a database that cannot be read.
    return true
  }
}
