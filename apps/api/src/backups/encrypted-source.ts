import { closeSync, createReadStream, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { openNewFile, syncWhile } from '@reeve/db'
import { BucketError } from '../s3/client.ts'
import { downloadObject } from '../s3/download.ts'
import { openEncryptedBackup } from './encryption/decrypt.ts'
import { EncryptedBackupError } from './encryption/error.ts'
import { isEncryptedStart, MAGIC_BYTES } from './encryption/header.ts'
import { isUrl, openObject } from './locate.ts'
import type { OffsiteConfig } from './offsite/read-config.ts'
import { describeFailure } from './offsite/upload.ts'

/** An encrypted backup whose header was verified. */
export interface EncryptedSource {
  /** The path or the URL. */
  readonly location: string
  /** The size of the database, in bytes. */
  readonly bytes: number
  readonly sha256: string
  /**
   * Decrypts the database to a new file that only its owner can read, and syncs it to disk. Without success there is no file.
   * @param onProgress gets the number of bytes written so far
   * @throws Error with a sentence for the user
   */
  readonly writeTo: (path: string, onProgress: (bytes: number) => void) => Promise<void>
  /** Stops reading. */
  readonly close: () => Promise<void>
}

/** Whether a backup is encrypted. False for a file that does not exist. */
export function isEncryptedBackup(location: string): boolean {
  if (isUrl(location)) return true
  if (!statSync(location, { throwIfNoEntry: false })?.isFile()) return false
  const descriptor = openSync(location, 'r')
  try {
    const start = Buffer.alloc(MAGIC_BYTES)
    readSync(descriptor, start)
    return isEncryptedStart(start)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Opens an encrypted backup and reads its header.
 * @throws UsageError, ConfigError; Error with a sentence for the user
 */
export async function openEncryptedSource(
  location: string,
  offsite: OffsiteConfig,
): Promise<EncryptedSource> {
  const stream = openStream(location, offsite)
  try {
    const { header, content, close } = await openEncryptedBackup(stream, offsite.secret)
    const { bytes, sha256 } = header
    return {
      location,
      bytes,
      sha256,
      close,
      async writeTo(path, onProgress) {
        try {
          await writeContent(content, path, onProgress)
        } catch (error) {
          rmSync(path, { force: true })
          throw toReadError(location, error)
        }
      },
    }
  } catch (error) {
    throw toReadError(location, error)
  }
}

function openStream(location: string, offsite: OffsiteConfig): AsyncIterable<Uint8Array> {
  if (!isUrl(location)) return createReadStream(location, { highWaterMark: 2 ** 20 })
  const { client, name } = openObject(location, offsite)
  return downloadObject(client, name)
}

async function writeContent(
  content: AsyncIterable<Buffer>,
  path: string,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const descriptor = openNewFile(path)
  let written = 0
  try {
    await syncWhile(path, async () => {
      for await (const chunk of content) {
        for (let offset = 0; offset < chunk.length; ) offset += writeSync(descriptor, chunk, offset)
        written += chunk.length
        onProgress(written)
      }
    })
  } finally {
    closeSync(descriptor)
  }
}

function toReadError(location: string, error: unknown): unknown {
  if (error instanceof EncryptedBackupError) return new Error(`${location} ${error.message}`)
  if (!(error instanceof BucketError)) return error
  return new Error(
    error.code === 'NoSuchKey' || (error.status === 404 && error.code === '')
      ? `${location} does not exist. \`reeve backup list\` shows what there is.`
      : `${location} could not be read: ${describeFailure(error)}`,
  )
}
