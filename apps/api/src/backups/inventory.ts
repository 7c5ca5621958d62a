import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BucketClient } from '../s3/client.ts'
import { listObjects } from '../s3/objects.ts'
import { isEncryptedName, parseBackupName, toNameStart } from './names.ts'
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

/** The backups in a folder, of all instances; none if the folder does not exist. */
export function listLocalBackups(folder: string): StoredBackup[] {
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

/** Newest first. The order of equal ones remains. */
export const sortBackups = (backups: readonly StoredBackup[]): StoredBackup[] =>
  backups.toSorted((a, b) => b.takenAt - a.takenAt)

/**
 * Finds the newest backup; of equal ones, the first.
 * @param tag the instance of the data folder; null if it is not known
 * @param places where the backups are, for the error
 * @throws Error with advice if there is none, or if it is not clear of which instance
 */
export function selectLatest(
  backups: readonly StoredBackup[],
  tag: string | null,
  places: string,
): StoredBackup {
  const candidates = tag === null ? backups : backups.filter((backup) => backup.tag === tag)
  const [latest, ...others] = sortBackups(candidates)
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
