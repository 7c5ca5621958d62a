import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { SECRET_KEY_BYTES } from '@reeve/core/keys'
import { fsyncFolder, secretKeyPath, writeFileFsync } from '@reeve/db'
import { decodeKey } from '../backups/encryption/key-file.ts'
import { SecretKeyError } from './error.ts'

/** Permissions of everyone but the owner and the group: a volume of Kubernetes gives the group access. */
const OTHERS = 0o007

/**
 * Creates the key of a locked data folder, readable only by its owner. After an interruption, the complete file is there or none.
 * @returns the key
 */
export function createSecretKeyFile(folder: string): Uint8Array {
  const file = secretKeyPath(folder)
  const incomplete = `${file}.incomplete`
  const key = randomBytes(SECRET_KEY_BYTES)
  rmSync(incomplete, { force: true })
  writeFileFsync(incomplete, `${key.toString('base64')}\n`)
  renameSync(incomplete, file)
  fsyncFolder(folder)
  return key
}

/** The key that replaces that of a data folder, until the database belongs to it. */
const nextKeyPath = (folder: string): string => `${secretKeyPath(folder)}.next`

/** The key for a rotation: one that an interrupted rotation has created, or a new one. */
export function createNextKeyFile(folder: string): Uint8Array {
  const existing = readNextKeyFile(folder)
  if (existing !== null) return existing
  const key = randomBytes(SECRET_KEY_BYTES)
  const file = nextKeyPath(folder)
  rmSync(file, { force: true })
  writeFileFsync(file, `${key.toString('base64')}\n`)
  fsyncFolder(folder)
  return key
}

/** The key of an interrupted rotation; null if there is none, or it was not written completely. */
export function readNextKeyFile(folder: string): Uint8Array | null {
  const file = nextKeyPath(folder)
  if (!existsSync(file)) return null
  const key = decodeKey(readFileSync(file, 'latin1').trim())
  return key.length === SECRET_KEY_BYTES ? key : null
}

/** Makes the key of a rotation that of a data folder, once the database belongs to it. */
export function activateNextKeyFile(folder: string): void {
  renameSync(nextKeyPath(folder), secretKeyPath(folder))
  fsyncFolder(folder)
}

/**
 * Reads the key of a data folder.
 * @returns null if there is none
 * @throws SecretKeyError
 */
export function readSecretKeyFile(folder: string): Uint8Array | null {
  const file = secretKeyPath(folder)
  let content: string
  try {
    const status = statSync(file)
    if (status.isDirectory())
      throw new SecretKeyError(
        `${file} is a folder, not a secret key. A container engine creates one in place of a file that it should mount and that does not ` +
          'exist. Stop the server, remove the folder, and put the file of this instance back.',
      )
    if ((status.mode & OTHERS) !== 0)
      throw new SecretKeyError(
        `The secret key ${file} can be read by other users of this machine. Run \`chmod 600 ${file}\`.`,
      )
    content = readFileSync(file, 'latin1')
  } catch (error) {
    if (error instanceof SecretKeyError) throw error
    const { code } = error as { code?: unknown }
    if (code === 'ENOENT') return null
    throw new SecretKeyError(
      `The secret key ${file} cannot be read (${String(code)}). Make this user its owner.`,
    )
  }
  const key = decodeKey(content.trim())
  if (key.length === SECRET_KEY_BYTES) return key
  throw new SecretKeyError(
    `${file} is not a secret key: it must contain the base64 of ${SECRET_KEY_BYTES} bytes as one line. Put the file of this instance back.`,
  )
}

/** The permissions of the key of a data folder for the group and for others; 0 if there are none, or no file. */
export const readSharedPermissions = (folder: string): number =>
  (statSync(secretKeyPath(folder), { throwIfNoEntry: false })?.mode ?? 0) & 0o077
