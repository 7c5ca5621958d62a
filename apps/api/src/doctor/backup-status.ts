import type { BackupStatus } from '@reeve/instance'
import { readLastBackup } from '../backups/last-backup.ts'
import { checkBackups } from './backups.ts'
import { checkUploads } from './offsite.ts'

/** PostgreSQL is backed up with its own tools. */
const ON_DATABASE_SERVER: BackupStatus = {
  verdict: 'ok',
  found: 'The data is in PostgreSQL. Reeve cannot see whether it is backed up.',
  advice:
    'Back it up with the tools of the database server, such as `pg_dump --format=custom` or continuous archiving.',
  made: null,
  failed: null,
}

/** From best to worst. */
const VERDICTS: readonly BackupStatus['verdict'][] = ['ok', 'warning', 'fault']

/**
 * The status of the backups of an instance, as in `reeve doctor`: that of the local or of the uploaded ones, whichever is worse.
 * @param folder the data folder; null if the data is in PostgreSQL
 * @param intervalMs between automatic backups; null if there are none
 * @param hasOffsiteBackups whether backups are to be uploaded; if not, earlier uploads do not matter
 */
export function getBackupStatus(
  folder: string | null,
  intervalMs: number | null,
  hasOffsiteBackups: boolean,
  now: number,
): BackupStatus {
  if (folder === null) return ON_DATABASE_SERVER
  const { made, failed, offsite } = readLastBackup(folder)
  const backups = checkBackups(folder, intervalMs, now)
  // Without a local backup, there is nothing to upload.
  const uploads = hasOffsiteBackups && made !== null ? checkUploads(offsite, intervalMs, now) : backups
  const isWorse = VERDICTS.indexOf(uploads.verdict) > VERDICTS.indexOf(backups.verdict)
  const { verdict, found, advice } = isWorse ? uploads : backups
  return { verdict, found, advice, made, failed }
}
