import {
  closeSync,
  constants,
  createReadStream,
  fdatasync,
  fsync,
  fsyncSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'

/** A database contains secrets and personal data: only its owner may read it. */
const OWNER_ONLY = 0o600
/** Fails if the file exists. It follows no symbolic link: one counts as a file. */
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** Opens or creates a file, and fails if it is a symbolic link. */
const OPEN_OR_CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW
const CHUNK_BYTES = 1 << 20
/** How often a file that grows is synced, in milliseconds. */
const SYNC_MS = 200

/** Syncs a folder, so that created and renamed files survive a power failure. */
export function fsyncFolder(folder: string): void {
  try {
    fsyncFile(folder)
  } catch {
    // Not every file system can sync folders.
  }
}

/** Syncs a file to disk. */
export function fsyncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes a file and syncs it to disk. Replaces an existing file; a symbolic link is replaced, and not followed. */
export function writeFileFsync(path: string, content: string): void {
  rmSync(path, { force: true })
  const descriptor = openNewFile(path)
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Creates a file that only its owner can read, and opens it for writing. @throws Error where the file exists */
export const openNewFile = (path: string): number => openSync(path, CREATE_NEW, OWNER_ONLY)

/** Creates an empty file that only its owner can read. @throws Error where the file exists */
export const createPrivateFile = (path: string): void => closeSync(openNewFile(path))

/** Creates an empty file that only its owner can read, unless it exists. @throws Error where it is a symbolic link */
export const ensurePrivateFile = (path: string): void => closeSync(openSync(path, OPEN_OR_CREATE, OWNER_ONLY))

/**
 * Runs something that writes a large file, and syncs the file meanwhile and at the end. Otherwise gigabytes of it are written at once: a
 * server that uses the same disk waits for them, and so does a signal.
 * @throws Error what `write` throws; else the first error of a sync, which later syncs of the file do not report again
 */
export async function syncWhile<T>(file: string, write: () => Promise<T>): Promise<T> {
  const writing = new AbortController()
  const synced = syncUntil(writing.signal, file)
  // An error of the write itself is the one to report.
  synced.catch(() => {})
  try {
    const result = await write()
    writing.abort()
    await synced
    return result
  } finally {
    writing.abort()
  }
}

async function syncUntil(ended: AbortSignal, file: string): Promise<void> {
  const end = Promise.withResolvers<void>()
  ended.addEventListener('abort', () => end.resolve())
  const descriptor = openSync(file, 'r')
  try {
    while (!ended.aborted) {
      await promisify(fdatasync)(descriptor)
      await Promise.race([Bun.sleep(SYNC_MS), end.promise])
    }
    await promisify(fsync)(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Computes the checksum of a file.
 * @param onProgress gets the number of bytes read so far
 * @returns the SHA-256 in hex
 */
export async function checksumFile(
  path: string,
  onProgress: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  await forEachChunk(path, (chunk) => hash.update(chunk), onProgress)
  return hash.digest('hex')
}

/**
 * Copies a file and syncs the copy to disk. Only the owner can read the copy.
 * @param onProgress gets the number of bytes copied so far
 * @returns the SHA-256 in hex of the content
 * @throws Error where `to` exists
 */
export async function copyFileFsync(
  from: string,
  to: string,
  onProgress: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  const descriptor = openNewFile(to)
  const writeChunk = (chunk: Buffer) => {
    hash.update(chunk)
    for (let offset = 0; offset < chunk.length; ) offset += writeSync(descriptor, chunk, offset)
  }
  try {
    await syncWhile(to, () => forEachChunk(from, writeChunk, onProgress))
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}

async function forEachChunk(
  path: string,
  onChunk: (chunk: Buffer) => void,
  onProgress: (bytes: number) => void,
): Promise<void> {
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    onChunk(chunk as Buffer)
    bytes += (chunk as Buffer).length
    onProgress(bytes)
  }
}
