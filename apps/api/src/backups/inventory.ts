import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { canEnterFolder, inaccessibleFolderError } from '@reeve/db'
import { isInFuture } from '../clock-tolerance.ts'
import { MAX_NAMED } from '../format.ts'
import type { BucketClient } from '../s3/client.ts'
import { listObjects } from '../s3/objects.ts'
import { isEncryptedName, parseBackupName, sortByAge, toNameStart } from './names.ts'
import { toObjectUrl } from './offsite/upload.ts'

/** A backup in a folder or a bucket, as its name describes it. */
export interface StoredBackup {
  /** The path or the URL, as in `--from`. */
  readonly location: string
  readonly isRemote: boolean
  /** The instance that it was taken of. */
  readonly tag: string
  /** Epoch milliseconds. */
  readonly takenAt: number
  readonly bytes: number
}

/**
 * The backups in a folder, of all instances; none if the folder does not exist.
 * @throws DataFolderError if this user may not see what is in it
 */
export function listLocalBackups(folder: string): StoredBackup[] {
  if (!canEnterFolder(folder)) throw inaccessibleFolderError(folder)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const location = join(folder, name)
    return isEncryptedName(name) ? [] : toStoredBackup(name, location, false, () => statSync(location).size)
  })
}

/** The backups in a bucket, of all instances. @throws BucketError */
export async function listRemoteBackups(client: BucketClient): Promise<StoredBackup[]> {
  const objects = await listObjects(client, toNameStart())
  return objects.flatMap(({ name, bytes }) =>
    isEncryptedName(name) ? toStoredBackup(name, toObjectUrl(client, name), true, () => bytes) : [],
  )
}

function toStoredBackup(
  name: string,
  location: string,
  isRemote: boolean,
  readBytes: () => number,
): StoredBackup[] {
  const parsed = parseBackupName(name)
  return parsed === null ? [] : [{ location, isRemote, ...parsed, bytes: readBytes() }]
}

/** Names the backups whose names are in the future, and says what that means; null if there are none. */
export function describeFutureBackups(backups: readonly StoredBackup[], now: number): string | null {
  const future = backups.filter(({ takenAt }) => isInFuture(takenAt, now))
  if (future.length === 0) return null
  const named = future.slice(0, MAX_NAMED).map(({ location }) => location)
  const others = future.length - named.length
  return (
    `The names of these backups are in the future: ${named.join(', ')}${others > 0 ? `, and ${others} more` : ''}. A clock was ahead when ` +
    'they were taken, or the clock of this machine is behind. They count as the oldest: `latest` is another one while there are others, and ' +
    'they are the first that are removed.'
  )
}

/**
 * Finds the newest backup by `sortByAge`; of equal ones, the first.
 * @param tag the instance of the data folder; null if it is not known
 * @param places where the backups are, for the error
 * @param now epoch milliseconds
 * @throws Error with advice if there is none, or if it is not clear of which instance
 */
export function selectLatest(
  backups: readonly StoredBackup[],
  tag: string | null,
  places: string,
  now: number,
): StoredBackup {
  const candidates = tag === null ? backups : backups.filter((backup) => backup.tag === tag)
  const [latest, ...others] = sortByAge(candidates, now)
  if (latest === undefined) {
    const whose = tag === null ? '' : ` of this instance (reeve-${tag}-…)`
    throw new Error(`There is no backup${whose} in ${places}. See \`reeve backup list\`.`)
  }
  const foreign = others.find((backup) => backup.tag !== latest.tag)
  if (foreign === undefined) return latest
  throw new Error(
    `${places} contains backups of several instances, such as ${basename(latest.location)} and ` +
      `${basename(foreign.location)}. Name the one to use; \`reeve backup list\` shows all.`,
  )
}
