import { existsSync } from 'node:fs'
import { DAY_MS, HOUR_MS } from '@reeve/core'
import { inspectDataFolder } from '@reeve/db'
import { describeFutureBackups, type StoredBackup } from '../backups/inventory.ts'
import { readLastBackup } from '../backups/last-backup.ts'
import { formatAge, formatTimestamp } from '../format.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** The maximum age of the last backup without automatic ones, which something else may replace, such as a timer. */
const STALE_MS = 7 * DAY_MS
/** The first automatic backup starts with the server, and is finished after this time. */
const FIRST_BACKUP_MS = HOUR_MS

const ADVICE = 'Run `reeve backup`, or set REEVE_BACKUP_EVERY=24h for automatic backups.'
/** After a backup or its upload has failed. */
export const RETRY_ADVICE = 'Fix the cause, then run `reeve backup`.'
const FUTURE_ADVICE =
  'Enable time synchronization (timedatectl set-ntp true). To restore one of them, pass its name to `reeve restore --from`. Remove those that you do not need.'
const OVERDUE_ADVICE =
  'The server should have created one. Check that it is running with REEVE_BACKUP_EVERY set, and check its log.'

/**
 * Checks the last backups.
 * @param intervalMs between automatic backups; null if there are none
 */
export function checkBackups(folder: string, intervalMs: number | null, now: number): Finding {
  const { made, failed } = readLastBackup(folder)
  if (failed !== null) {
    const lastText =
      made === null
        ? 'there is no earlier one'
        : `the last successful one is from ${formatTimestamp(made.at)}`
    return fault(
      'backup',
      `The backup at ${formatTimestamp(failed.at)} failed (${failed.problem}); ${lastText}.`,
      RETRY_ADVICE,
    )
  }
  if (made === null) {
    if (intervalMs === null)
      return warning('backup', 'There is no backup, and automatic backups are off.', ADVICE)
    return isYoungerThan(folder, FIRST_BACKUP_MS, now)
      ? ok('backup', 'There is no backup yet. The server creates the first one now.')
      : warning('backup', 'There is no backup, although automatic backups are on.', OVERDUE_ADVICE)
  }
  const location = existsSync(made.file) ? made.file : `${made.file}, which no longer exists`
  const age = now - made.at
  const message = `The last backup is ${formatAge(age)} old: ${location}.`
  if (intervalMs !== null && age > 2 * intervalMs) {
    return fault('backup', message, OVERDUE_ADVICE)
  }
  if (intervalMs !== null) return ok('backup', message)
  const manualMessage = `${message} Automatic backups are off.`
  return age > STALE_MS
    ? warning('backup', manualMessage, ADVICE)
    : ok(
        'backup',
        manualMessage,
        'Set REEVE_BACKUP_EVERY=24h, unless something else runs `reeve backup` regularly.',
      )
}

/**
 * Reports the backups of an instance whose names are in the future; nothing if there are none.
 * @param tag the instance; null if it is not known
 */
export function checkBackupNames(
  check: 'backup' | 'offsite',
  backups: readonly StoredBackup[],
  tag: string | null,
  now: number,
): Finding[] {
  const own = tag === null ? backups : backups.filter((backup) => backup.tag === tag)
  const found = describeFutureBackups(own, now)
  return found === null ? [] : [warning(check, found, FUTURE_ADVICE)]
}

/** Whether an instance was created less than this time ago. */
function isYoungerThan(folder: string, maxAgeMs: number, now: number): boolean {
  try {
    const inspection = inspectDataFolder(folder)
    try {
      return now - (inspection.times().createdAt ?? now) < maxAgeMs
    } finally {
      inspection.close()
    }
  } catch {
    // The database checks report a database that cannot be read.
    return true
  }
}
