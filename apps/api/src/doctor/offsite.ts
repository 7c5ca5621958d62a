import { listRemoteBackups } from '../backups/inventory.ts'
import type { LastUpload } from '../backups/last-backup.ts'
import { describeFailure } from '../backups/offsite/upload.ts'
import { formatAge, formatTimestamp } from '../format.ts'
import type { BucketClient } from '../s3/client.ts'
import { checkBackupNames, RETRY_ADVICE } from './backups.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/**
 * Checks the outcome of the last uploads of backups.
 * @param last null if no backup was to be uploaded yet
 * @param intervalMs between automatic backups; null if there are none
 */
export function checkUploads(last: LastUpload | null, intervalMs: number | null, now: number): Finding {
  if (last === null) return notUploaded
  const { made, failed } = last
  if (failed !== null) {
    const lastText =
      made === null
        ? 'no backup was uploaded before'
        : `the last uploaded backup is from ${formatTimestamp(made.at)}`
    return fault(
      'offsite',
      `The upload of the backup at ${formatTimestamp(failed.at)} failed (${failed.problem}); ${lastText}.`,
      RETRY_ADVICE,
    )
  }
  if (made === null) return notUploaded
  const message = `The last uploaded backup is ${formatAge(now - made.at)} old: ${made.object}.`
  return intervalMs !== null && now - made.at > 2 * intervalMs
    ? fault('offsite', message, 'Check the log of the server, then run `reeve backup`.')
    : ok('offsite', message)
}

const notUploaded = warning('offsite', 'No backup was uploaded to the bucket yet.', 'Run `reeve backup`.')

/**
 * Checks offsite backups: the last uploads, and that the last uploaded backup is in the bucket.
 * @param client null if this process has no settings of the bucket
 * @param last null if no backup was to be uploaded yet
 * @param tag the instance; null if it is not known
 */
export async function checkOffsite(
  client: BucketClient | null,
  last: LastUpload | null,
  intervalMs: number | null,
  now: number,
  tag: string | null,
): Promise<Finding[]> {
  const finding = checkUploads(last, intervalMs, now)
  if (client === null || finding.verdict === 'fault') return [finding]
  const label = `The bucket ${client.settings.bucket} at ${client.settings.endpoint.origin}`
  try {
    const object = last?.made?.object
    const backups = await listRemoteBackups(client)
    const isStored = object === undefined || backups.some(({ location }) => location === object)
    return [
      isStored
        ? finding
        : fault('offsite', `${label} does not contain the last uploaded backup, ${object}.`, RETRY_ADVICE),
      ...checkBackupNames('offsite', backups, tag, now),
    ]
  } catch (error) {
    return [fault('offsite', `${label} cannot be used: ${describeFailure(error)}`, RETRY_ADVICE)]
  }
}
