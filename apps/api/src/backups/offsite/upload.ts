import { basename } from 'node:path'
import type { Progress } from '../../command-line/command.ts'
import { formatPercent } from '../../format.ts'
import { type BucketClient, BucketError } from '../../s3/client.ts'
import { abortUpload, deleteObject, listObjects, listUnfinishedUploads } from '../../s3/objects.ts'
import { computePartBytes, uploadObject } from '../../s3/upload.ts'
import { computeMaxEncryptedBytes, encryptBackup, type PlainBackup } from '../encryption/encrypt.ts'
import type { BackupSecret } from '../encryption/keys.ts'
import { parseBackupName, selectExpired, toEncryptedName, toNameStart } from '../names.ts'

/** Where and how to upload backups. */
export interface OffsiteTarget {
  readonly client: BucketClient
  readonly secret: BackupSecret
  /** How many backups to keep in the bucket; 0 keeps all. */
  readonly keep: number
}

/** The outcome of an upload. */
export interface OffsiteBackup {
  /** The URL of the object; null if the backup was not uploaded. */
  readonly object: string | null
  /** The size of the object. */
  readonly bytes: number
  /** Objects of older backups that were deleted. */
  readonly removed: readonly string[]
  /** Why it was not uploaded, or older backups were not deleted; null if everything was done. */
  readonly problem: string | null
}

/** The URL of an object, as in `--from`. */
export const toObjectUrl = ({ settings }: BucketClient, name: string): string =>
  `s3://${settings.bucket}/${settings.prefix}${name}`

/**
 * Encrypts a backup, uploads it, and deletes older ones from the bucket. Never throws: the backup itself is complete.
 * @param name the generated file name of the backup
 * @param prunes whether older backups are deleted
 */
export async function uploadBackup(
  { client, secret, keep }: OffsiteTarget,
  backup: PlainBackup,
  name: string,
  prunes: boolean,
  now: () => number,
  progress: Progress,
): Promise<OffsiteBackup> {
  const object = toEncryptedName(name)
  const url = toObjectUrl(client, object)
  progress.step(`Encrypting and uploading it to ${url}`)
  let bytes: number
  try {
    const onProgress = (read: number) =>
      progress.update(`${formatPercent(read, backup.bytes)} encrypted and uploaded`)
    const chunks = encryptBackup(backup, secret, onProgress)
    const partBytes = computePartBytes(computeMaxEncryptedBytes(backup.bytes))
    bytes = await uploadObject({ client, name: object }, toParts(chunks, partBytes))
  } catch (error) {
    const problem =
      `${basename(backup.file)} could not be uploaded to ${url}: ${describeFailure(error)} ` +
      'The local backup is complete, and the next backup is uploaded.'
    return { object: null, bytes: 0, removed: [], problem }
  }
  try {
    const removed = await cleanUp(client, object, prunes ? keep : 0, now())
    return { object: url, bytes, removed, problem: null }
  } catch (error) {
    const problem = `The backup was uploaded, but older objects could not be deleted: ${describeFailure(error)}`
    return { object: url, bytes, removed: [], problem }
  }
}

/** Deletes unfinished uploads and expired backups of the same instance. @returns the URLs of the deleted backups */
async function cleanUp(client: BucketClient, object: string, keep: number, now: number): Promise<string[]> {
  const start = toNameStart(parseBackupName(object)?.tag)
  // The lock of the data folder is held, so no upload of this instance is in progress.
  for (const unfinished of await listUnfinishedUploads(client, start)) await abortUpload(client, unfinished)
  const names = (await listObjects(client, start))
    .map(({ name }) => name)
    .filter((name) => parseBackupName(name) !== null)
  const expired = selectExpired(names, keep, object, now)
  for (const name of expired) await deleteObject(client, name)
  return expired.map((name) => toObjectUrl(client, name))
}

/** Joins chunks to parts of one size; the last part can be smaller. */
async function* toParts(chunks: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(partBytes)
  let length = 0
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      const piece = chunk.subarray(offset, offset + partBytes - length)
      part.set(piece, length)
      length += piece.length
      offset += piece.length
      if (length < partBytes) continue
      yield part
      part = Buffer.allocUnsafe(partBytes)
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
}

/** The cause of a failed request to the bucket, and what to do. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof BucketError)) return error instanceof Error ? error.message : String(error)
  return `${error.message}. ${findRemedy(error)}`
}

function findRemedy({ status, code }: BucketError): string {
  if (code === 'NoSuchBucket') return 'Create the bucket, or set REEVE_BACKUP_S3_BUCKET to an existing one.'
  if (status === 401 || status === 403)
    return 'Check REEVE_BACKUP_S3_ACCESS_KEY_ID and REEVE_BACKUP_S3_SECRET_ACCESS_KEY, and that the access key may list, read, write and delete objects.'
  if (status === null) return 'Check the network and REEVE_BACKUP_S3_ENDPOINT.'
  return 'Check the store and the REEVE_BACKUP_S3_ settings.'
}
