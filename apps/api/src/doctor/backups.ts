import { existsSync } from 'node:fs'
import { DAY_MS } from '@reeve/core'
import { inspectDataFolder } from '@reeve/db'
import { readLastBackup } from '../backups/last-backup.ts'
import { formatTimestamp, pluralize } from '../format.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Without a schedule of ours: how old the last backup may be, and how old an instance that has none. */
const STALE_MS = 7 * DAY_MS
const NEW_INSTANCE_MS = DAY_MS

const ADVICE = '`reeve backup` makes one; REEVE_BACKUP_EVERY=24h lets the server make them.'

/**
 * How the last backups went.
 * @param every how often the server makes one, in milliseconds; null where it makes none
 */
export function checkBackups(folder: string, interval: number | null, now: number): Finding {
  const { made, failed } = readLastBackup(folder)
  if (failed !== null) {
    const lastText = made === null ? 'there is none' : `the last is of ${formatTimestamp(made.at)}`
    return fault(
      'backup',
      `The backup of ${formatTimestamp(failed.at)} did not go well (${failed.problem}); ${lastText}.`,
      'Do away with the cause, then `reeve backup`.',
    )
  }
  if (made === null) {
    return isNewInstance(folder, now)
      ? ok('backup', 'No backup was made yet.')
      : warning('backup', 'No backup was ever made.', ADVICE)
  }
  const location = existsSync(made.file) ? made.file : `${made.file}, where it is no more`
  const age = now - made.at
  const message = `The last backup is ${formatAge(age)} old: ${location}.`
  if (interval !== null && age > 2 * interval) {
    return fault(
      'backup',
      message,
      'The server should have made another: is it running, and what does its log say?',
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
    // A database that cannot be read is told of by the looks that are about it.
    return true
  }
}

const formatAge = (ms: number): string =>
  ms > 2 * DAY_MS
    ? pluralize(Math.floor(ms / DAY_MS), 'day')
    : pluralize(Math.max(0, Math.floor(ms / (DAY_MS / 24))), 'hour')
