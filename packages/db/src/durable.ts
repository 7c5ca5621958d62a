import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs'

/** For the owner alone: a database holds everything. */
const PRIVATE = 0o600
const CHUNK = 1 << 20

/** Waits until the disk has the names in a folder. */
export function syncFolder(folder: string): void {
  try {
    syncFile(folder)
  } catch {
    // Not every file system syncs folders.
  }
}

/** Waits until the disk has what was written to a file. */
export function syncFile(path: string): void {
  const open = openSync(path, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/** Makes a file with this content, on the disk once it returns. A file that was there is written over. */
export function writeSynced(path: string, content: string): void {
  const open = openSync(path, 'w', PRIVATE)
  try {
    writeSync(open, content)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/** Makes an empty file that only its owner can read; fails where there is one. */
export const makePrivate = (path: string): void => closeSync(openSync(path, 'wx', PRIVATE))

/**
 * Reads a file to its end.
 * @param read is told how many bytes were read so far
 * @returns its SHA-256 in hex
 */
export async function checksumOf(path: string, read: (bytes: number) => void = () => {}): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  await eachChunk(path, (chunk) => hash.update(chunk), read)
  return hash.digest('hex')
}

/**
 * Copies a file to a new one of our own, on the disk once it resolves.
 * @returns the SHA-256 in hex of what was copied
 */
export async function copySynced(
  from: string,
  to: string,
  read: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  const open = openSync(to, 'wx', PRIVATE)
  const write = (chunk: Buffer) => {
    hash.update(chunk)
    for (let at = 0; at < chunk.length; ) at += writeSync(open, chunk, at)
  }
  try {
    await eachChunk(from, write, read)
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
  return hash.digest('hex')
}

async function eachChunk(
  path: string,
  use: (chunk: Buffer) => void,
  read: (bytes: number) => void,
): Promise<void> {
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
    use(chunk as Buffer)
    bytes += (chunk as Buffer).length
    read(bytes)
  }
}
