import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { inspectDataFolder } from '@reeve/db'
import { isInFuture } from '../clock-tolerance.ts'
import type { Progress } from '../command-line/command.ts'
import { UsageError } from '../command-line/input.ts'
import { type BucketClient, createBucketClient } from '../s3/client.ts'
import { computeInstanceTag } from './destination.ts'
import {
  describeFutureBackups,
  listLocalBackups,
  listRemoteBackups,
  type StoredBackup,
  selectLatest,
} from './inventory.ts'
import { readLastBackup } from './last-backup.ts'
import { type OffsiteConfig, requireClient } from './offsite/read-config.ts'

/** What `--from` accepts. */
export const FROM_HELP =
  'a backup file; s3://<bucket>/<name> for one in the bucket, whose name can be latest; or latest, for the newest of the folder and the bucket'

const LATEST = 'latest'

export interface SearchOptions {
  readonly dataDir: string
  /** The backup folder. */
  readonly folder: string
  readonly readOffsite: () => OffsiteConfig
  /** Whether a backup that is in both places is taken from the bucket. */
  readonly prefersRemote: boolean
  readonly now: () => number
  readonly progress: Progress
}

/** An object of a bucket. */
export interface RemoteObject {
  readonly client: BucketClient
  readonly name: string
}

/**
 * Finds the backup that `--from` names.
 * @returns its path, or its URL
 * @throws UsageError, ConfigError, BucketError; Error with advice if `latest` finds none
 */
export async function locateBackup(from: string, options: SearchOptions): Promise<string> {
  const { folder, readOffsite, prefersRemote } = options
  if (from === LATEST) {
    const { client } = readOffsite()
    const remote = client === null ? [] : await listRemoteBackups(client)
    const places = [folder, ...(client === null ? [] : [describeBucket(client)])]
    const local = listLocalBackups(folder)
    const backups = prefersRemote ? [...remote, ...local] : [...local, ...remote]
    return chooseLatest(backups, places.join(' and '), options)
  }
  if (!isUrl(from)) return resolve(from)
  const { client, name } = openObject(from, readOffsite())
  if (name !== LATEST) return from
  const remote: StoredBackup[] = await listRemoteBackups(client)
  return chooseLatest(remote, describeBucket(client), options)
}

/** Finds the newest backup of the instance, and reports those whose age is not known. */
function chooseLatest(
  backups: readonly StoredBackup[],
  places: string,
  { dataDir, now, progress }: SearchOptions,
): string {
  const latest = selectLatest(backups, readInstanceTag(dataDir), places, now())
  const future = describeFutureBackups(
    backups.filter(({ tag }) => tag === latest.tag),
    now(),
  )
  if (future !== null) progress.step(future)
  const newer = describeNewerBackup(dataDir, latest.takenAt, places, now())
  if (newer !== null) progress.step(newer)
  return latest.location
}

/** Names the last backup of the instance if it is newer and somewhere else, such as in the folder of a setting that this command lacks. */
function describeNewerBackup(dataDir: string, takenAt: number, places: string, now: number): string | null {
  const { made } = readLastBackup(dataDir)
  if (made === null || made.at <= takenAt || isInFuture(made.at, now) || !existsSync(made.file)) return null
  return `The last backup of this instance, ${made.file}, is newer, but not in ${places}. To use it, pass it to --from.`
}

/** Whether a location is that of an object. */
export const isUrl = (location: string): boolean => location.startsWith('s3://')

/** Opens the bucket of a URL, with the store and the access key of the settings. @throws UsageError, ConfigError */
export function openObject(url: string, offsite: OffsiteConfig): RemoteObject {
  const pattern =
    /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]+)\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*)([A-Za-z0-9._-]+)$/
  const [, bucket, prefix = '', name] = pattern.exec(url) ?? []
  if (bucket === undefined || name === undefined)
    throw new UsageError([`${url} is not the URL of an object, such as s3://backups/reeve/latest.`])
  const { settings } = requireClient(offsite)
  return { client: createBucketClient({ ...settings, bucket, prefix }), name }
}

const describeBucket = ({ settings }: BucketClient): string => `s3://${settings.bucket}/${settings.prefix}`

/** The tag of the instance in a data folder; null if there is none that can be read. */
export function readInstanceTag(dataDir: string): string | null {
  try {
    const inspection = inspectDataFolder(dataDir)
    try {
      return computeInstanceTag(inspection.times().createdAt ?? 0)
    } finally {
      inspection.close()
    }
  } catch {
    return null
  }
}
