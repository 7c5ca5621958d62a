import { basename } from 'node:path'
import { isInFuture } from '../clock-tolerance.ts'

/** What the name of a backup says. */
export interface BackupName {
  /** The instance that the backup was taken of. */
  readonly tag: string
  /** When, in epoch milliseconds. */
  readonly takenAt: number
}

const ENCRYPTED_SUFFIX = '.enc'

/** The file name of a backup taken at a time. */
export const toFileName = (tag: string, at: number): string =>
  `reeve-${tag}-${new Date(at).toISOString().replace(/[-:.]/g, '')}.db`

/** The name of the encrypted backup of a file. */
export const toEncryptedName = (fileName: string): string => `${fileName}${ENCRYPTED_SUFFIX}`

export const isEncryptedName = (name: string): boolean => name.endsWith(ENCRYPTED_SUFFIX)

/** The beginning of the names of all backups; of one instance, if its tag is given. */
export const toNameStart = (tag = ''): string => (tag === '' ? 'reeve-' : `reeve-${tag}-`)

/** Parses a name, also of an encrypted backup; null if it is not one that Reeve generates. */
export function parseBackupName(name: string): BackupName | null {
  const pattern = /^reeve-([0-9a-f]{6})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.db(?:\.enc)?$/
  const [, tag, ...parts] = pattern.exec(name) ?? []
  if (tag === undefined) return null
  const [year = 0, month = 1, ...rest] = parts.map(Number)
  return { tag, takenAt: Date.UTC(year, month - 1, ...(rest as [number])) }
}

/**
 * Sorts backups, newest first. One whose name is in the future was taken while a clock was ahead: it may be older than any other, so it
 * counts as the oldest. The order of equal ones remains.
 * @param now epoch milliseconds
 */
export const sortByAge = <Backup extends Pick<BackupName, 'takenAt'>>(
  backups: readonly Backup[],
  now: number,
): Backup[] =>
  backups.toSorted(
    (a, b) =>
      Number(isInFuture(a.takenAt, now)) - Number(isInFuture(b.takenAt, now)) || b.takenAt - a.takenAt,
  )

/**
 * The backups that retention removes.
 * @param locations of all backups of an instance; each ends in a name that Reeve generates
 * @param keep how many remain; 0 for all
 * @param exempt one of them, which always remains
 * @param now epoch milliseconds
 */
export function selectExpired(
  locations: readonly string[],
  keep: number,
  exempt: string,
  now: number,
): string[] {
  if (keep === 0) return []
  const others = locations
    .filter((location) => location !== exempt)
    .map((location) => ({ location, takenAt: parseBackupName(basename(location))?.takenAt ?? 0 }))
  return sortByAge(others, now)
    .slice(keep - 1)
    .map(({ location }) => location)
}
