import type { BackupStatus } from '@reeve/instance'
import { checkBackups } from '../doctor/backups.ts'
import { readLastBackup } from './last-backup.ts'

/** A server has backups of its own, with tools that know it better. */
const ON_DATABASE_SERVER: BackupStatus = {
  verdict: 'ok',
  found: 'The data lies on a database server: its backups are made there.',
  advice: null,
  made: null,
  failed: null,
}

/**
 * How the backups of an instance are, in the doctor's own words.
 * @param folder where the data lies; null where it is on a database server
 * @param every how often the server makes one, in milliseconds; null where it makes none
 */
export function getBackupStatus(folder: string | null, interval: number | null, now: number): BackupStatus {
  if (folder === null) return ON_DATABASE_SERVER
  const { verdict, found, advice } = checkBackups(folder, interval, now)
  return { verdict, found, advice, ...readLastBackup(folder) }
}
