/** What the name of a backup says. */
export interface BackupName {
  /** The instance that the backup was taken of. */
  readonly tag: string
  /** When, in epoch milliseconds. */
  readonly takenAt: number
}

const ENCRYPTED_SUFFIX = '.enc'

/** The file name of a backup taken at a time. Names of an instance sort by time. */
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
 * The backups that retention removes.
 * @param newestFirst all backups of an instance
 * @param keep how many remain; 0 for all
 * @param exempt one of them, which always remains
 */
export const selectExpired = (newestFirst: readonly string[], keep: number, exempt: string): string[] =>
  keep === 0 ? [] : newestFirst.filter((name) => name !== exempt).slice(keep - 1)
