import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs'

/** For the owner alone: a database holds everything. */
const OWNER_ONLY = 0o600
const CHUNK_BYTES = 1 << 20

/** Waits until the disk has the names in a folder. */
export function fsyncFolder(folder: string): void {
  try {
    fsyncFile(folder)
  } catch {
    // Not every file system syncs folders.
  }
}

/** Waits until the disk has what was written to a file. */
export function fsyncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes a file with this content, on the disk once it returns. A file that was there is written over. */
export function writeFileFsync(path: string, content: string): void {
  const descriptor = openSync(path, 'w', OWNER_ONLY)
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes an empty file that only its owner can read; fails where there is one. */
export const createPrivateFile = (path: string): void => closeSync(openSync(path, 'wx', OWNER_ONLY))

/**
 * Reads a file to its end.
 * @param read is told how many bytes were read so far
 * @returns its SHA-256 in hex
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
 * Copies a file to a new one of our own, on the disk once it resolves.
 * @returns the SHA-256 in hex of what was copied
 */
export async function copyFileFsync(
  from: string,
  to: string,
  onProgress: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  const descriptor = openSync(to, 'wx', OWNER_ONLY)
  const writeChunk = (chunk: Buffer) => {
    hash.update(chunk)
    for (let offset = 0; offset < chunk.length; ) offset += writeSync(descriptor, chunk, offset)
  }
  try {
    await forEachChunk(from, writeChunk, onProgress)
    fsyncSync(descriptor)
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
