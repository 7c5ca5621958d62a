import { type DataFolder, inspectDataFolder, isDamagedDatabase, type RowCounts } from '@reeve/db'
import { damagedBackupError } from '../backups/create.ts'
import type { EncryptedSource } from '../backups/encrypted-source.ts'
import { copyBackup, installDatabase, type PlainSource } from '../backups/restore.ts'
import { decryptTo } from '../backups/restore-encrypted.ts'
import type { Progress } from '../command-line/command.ts'
import { formatMiB, formatTimestamp } from '../format.ts'
import type { BucketSettings } from '../s3/client.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { checkDatabase } from './database.ts'
import type { Finding } from './finding.ts'

/** The outcome of a restore to a scratch folder. */
export interface DrillReport {
  readonly holds: RowCounts
  /** The time of the newest change; null if there is none. */
  readonly newestChange: string | null
  /** What `reeve doctor` finds. */
  readonly findings: readonly Finding[]
}

/**
 * Restores a backup to a scratch folder as `reeve restore` would, and runs the checks of `reeve doctor` on it.
 * @param images the image bucket, as for the doctor
 * @param secretKey the settings of the instance that was backed up
 * @throws NewerSchemaError; Error with a sentence for the user if it cannot be restored
 */
export async function drillRestore(
  source: EncryptedSource | PlainSource,
  scratch: string,
  lock: DataFolder,
  images: BucketSettings | null,
  secretKey: SecretKeyConfig,
  now: () => number,
  progress: Progress,
): Promise<DrillReport> {
  progress.step(`Restoring it to ${scratch} (${formatMiB(source.bytes)})`)
  try {
    await installDatabase(lock, source.bytes, now, (incoming) =>
      'writeTo' in source ? decryptTo(source, incoming, progress) : copyBackup(source, incoming, progress),
    )
  } catch (error) {
    throw isDamagedDatabase(error)
      ? damagedBackupError('writeTo' in source ? source.location : source.file, error)
      : error
  }
  progress.step('Checking it as `reeve doctor` does')
  const allFindings = await checkDatabase(scratch, now, progress, images, secretKey)
  // In every restored database, the keys wait for confirmation.
  const findings = allFindings.filter(({ check }) => check !== 'restore')
  const inspection = inspectDataFolder(scratch)
  try {
    const { newestChange } = inspection.times()
    return {
      holds: await inspection.rowCounts(),
      newestChange: newestChange === null ? null : formatTimestamp(newestChange),
      findings,
    }
  } finally {
    inspection.close()
  }
}
