import { existsSync } from 'node:fs'
import { inspectDataFolder } from '@reeve/db'
import { readRecord } from '../backups/record.ts'
import { counted, moment } from '../words.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const DAY_MS = 86_400_000
/** Without a schedule of ours: how old the last backup may be, and how old an instance that has none. */
const OLD_MS = 7 * DAY_MS
const YOUNG_MS = DAY_MS

const ADVICE = '`reeve backup` makes one; REEVE_BACKUP_EVERY=24h lets the server make them.'

/**
 * How the last backups went.
 * @param every how often the server makes one, in milliseconds; null where it makes none
 */
export function lookAtBackups(folder: string, every: number | null, now: number): Finding {
  const { made, failed } = readRecord(folder)
  if (failed !== null) {
    const last = made === null ? 'there is none' : `the last is of ${moment(made.at)}`
    return fault(
      'backup',
      `The backup of ${moment(failed.at)} did not go well (${failed.problem}); ${last}.`,
      'Do away with the cause, then `reeve backup`.',
    )
  }
  if (made === null) {
    return isYoung(folder, now)
      ? ok('backup', 'No backup was made yet.')
      : warning('backup', 'No backup was ever made.', ADVICE)
  }
  const there = existsSync(made.file) ? made.file : `${made.file}, where it is no more`
  const age = now - made.at
  const found = `The last backup is ${inHours(age)} old: ${there}.`
  if (every !== null && age > 2 * every) {
    return fault(
      'backup',
      found,
      'The server should have made another: is it running, and what does its log say?',
    )
  }
  return every === null && age > OLD_MS ? warning('backup', found, ADVICE) : ok('backup', found)
}

function isYoung(folder: string, now: number): boolean {
  try {
    const inspection = inspectDataFolder(folder)
    try {
      return now - (inspection.times().createdAt ?? now) < YOUNG_MS
    } finally {
      inspection.close()
    }
  } catch {
    // A database that cannot be read is told of by the looks that are about it.
    return true
  }
}

const inHours = (ms: number): string =>
  ms > 2 * DAY_MS
    ? counted(Math.floor(ms / DAY_MS), 'day')
    : counted(Math.max(0, Math.floor(ms / (DAY_MS / 24))), 'hour')
