import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, readFileSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { fsyncFolder, openNewFile } from '@reeve/db'
import { computeKeyId, KEY_BYTES } from './keys.ts'

/** Permissions of everyone but the owner. */
const OTHERS = 0o077

/**
 * Creates a file with a random key, readable only by its owner.
 * @returns the ID of the key
 * @throws Error with advice if the file exists or cannot be written
 */
export function createKeyFile(file: string): string {
  const key = randomBytes(KEY_BYTES)
  let descriptor: number
  try {
    descriptor = openNewFile(file)
  } catch (error) {
    const { code } = error as { code?: unknown }
    throw new Error(
      code === 'EEXIST'
        ? `${file} already exists. A key is never replaced: it opens the backups that were made with it. Choose another file name.`
        : `The key cannot be written to ${file} (${String(code)}). Choose a folder that exists and that this user can write to.`,
    )
  }
  try {
    writeSync(descriptor, `${key.toString('base64')}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  fsyncFolder(dirname(file))
  return computeKeyId(key)
}

/** Reads a key: 32 bytes, or their base64 as one line. @throws Error with advice; never with the content */
export function readKeyFile(file: string): Uint8Array {
  let content: Buffer
  try {
    const { mode } = statSync(file)
    if ((mode & OTHERS) !== 0)
      throw new Error(
        `The backup key ${file} can be read by other users of this machine. Run \`chmod 600 ${file}\`.`,
      )
    content = readFileSync(file)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === undefined) throw error
    throw new Error(
      code === 'ENOENT'
        ? `The backup key ${file} does not exist. Create one with \`reeve backup create-key --file ${file}\`, or set REEVE_BACKUP_KEY_FILE to the right file.`
        : `The backup key ${file} cannot be read (${String(code)}). Make this user its owner.`,
    )
  }
  const key = content.length === KEY_BYTES ? content : decodeKey(content.toString('latin1').trim())
  if (key.length === KEY_BYTES) return key
  throw new Error(
    `${file} is not a backup key: it must contain ${KEY_BYTES} bytes, or their base64 as one line.`,
  )
}

/** The bytes of a key in base64; none if the text is not one. */
export const decodeKey = (text: string): Buffer =>
  Buffer.from(/^[A-Za-z0-9+/]{43}=$/.test(text) ? text : '', 'base64')
