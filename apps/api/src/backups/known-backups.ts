import { basename } from 'node:path'
import type { KnownBackups, ListBackups } from '@reeve/auth'
import { MINUTE_MS } from '@reeve/core'
import { createBucketClient } from '../s3/client.ts'
import type { Config } from '../settings.ts'
import { resolveBackupFolder } from './destination.ts'
import { listLocalBackups, listRemoteBackups, type StoredBackup } from './inventory.ts'
import { readInstanceTag } from './locate.ts'
import { sortByAge } from './names.ts'
import { toBackupBucketSettings } from './offsite/settings.ts'

/** How long the list of a bucket is used again: everyone with the permission can cause a request to it. */
const REMOTE_MS = MINUTE_MS

/** How long a reader waits for a bucket that does not respond. */
const REMOTE_TIMEOUT_MS = 5000

type BackupSettings = Pick<Config, 'backupDir'> & Parameters<typeof toBackupBucketSettings>[0]

/**
 * Creates what lists the backups of an instance in its folder and its bucket, newest first.
 * @param dataDir the data folder; null if the data is in PostgreSQL, whose backups Reeve does not know
 * @param now epoch milliseconds
 */
export function createBackupLister(
  dataDir: string | null,
  config: BackupSettings,
  now: () => number,
): ListBackups {
  if (dataDir === null)
    return async () => ({
      backups: [],
      problem: 'The data is in PostgreSQL, whose backups Reeve does not know.',
    })
  const folder = resolveBackupFolder(config, dataDir)
  const bucket = toBackupBucketSettings(config)
  const client = bucket === null ? null : createBucketClient(bucket, REMOTE_TIMEOUT_MS)
  let tag: string | null = null
  let remote: { readonly at: number; readonly listing: Promise<readonly StoredBackup[]> } | null = null
  const listRemote = (): Promise<readonly StoredBackup[]> => {
    if (client === null) return Promise.resolve([])
    if (remote === null || Math.abs(now() - remote.at) >= REMOTE_MS) {
      const listing = listRemoteBackups(client)
      remote = { at: now(), listing }
      // The next call tries again.
      listing.catch(() => {
        if (remote?.listing === listing) remote = null
      })
    }
    return remote.listing
  }
  return async () => {
    tag ??= readInstanceTag(dataDir)
    const problems: string[] = []
    // Why is the operator's business: `reeve backup list` says so.
    const failed = (place: string) => () => {
      problems.push(`The backups in ${place} could not be listed.`)
      return []
    }
    const local = await (async () => listLocalBackups(folder))().catch(failed('the backup folder'))
    const found = [...local, ...(await listRemote().catch(failed('the bucket')))]
    const own = tag === null ? found : found.filter((backup) => backup.tag === tag)
    return {
      backups: sortByAge(own, now()).map(present),
      problem: problems.length > 0 ? problems.join(' ') : null,
    }
  }
}

const present = ({ location, isRemote, takenAt }: StoredBackup): KnownBackups['backups'][number] => ({
  name: basename(location),
  takenAt,
  place: isRemote ? 'bucket' : 'folder',
})
