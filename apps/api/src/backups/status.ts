import type { BackupStatus } from '@reeve/instance'
import { checkBackups } from '../doctor/backups.ts'
import { readLastBackup } from './last-backup.ts'

/** PostgreSQL is backed up with its own tools. */
const ON_DATABASE_SERVER: BackupStatus = {
  verdict: 'ok',
  found: 'The data is in PostgreSQL. Reeve cannot see whether it is backed up.',
  advice:
    'Back it up with the tools of the database server, such as `pg_dump --format=custom` or continuous archiving.',
  made: null,
  failed: null,
}

/**
 * The status of the backups of an instance, as in `reeve doctor`.
 * @param folder the data folder; null if the data is in PostgreSQL
 * @param interval between automatic backups, in milliseconds; null if there are none
 */
export function getBackupStatus(folder: string | null, interval: number | null, now: number): BackupStatus {
  if (folder === null) return ON_DATABASE_SERVER
  const { verdict, found, advice } = checkBackups(folder, interval, now)
  return { verdict, found, advice, ...readLastBackup(folder) }
}
