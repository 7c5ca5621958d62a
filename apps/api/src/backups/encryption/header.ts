import { createHmac, timingSafeEqual } from 'node:crypto'
import { EncryptedBackupError } from './error.ts'

// The format is described in docs/decisions/0018-encrypted-backups.md.

/** The size of a header, in bytes. */
export const HEADER_BYTES = 128
const MAC_BYTES = 32
const MAGIC = 'ReeveBak'
/** What tells an encrypted backup from other files, in bytes. */
export const MAGIC_BYTES = MAGIC.length
const VERSION = 1

const KEY_SOURCES = ['key file', 'passphrase'] as const
/** Where a key comes from. */
export type KeySource = (typeof KEY_SOURCES)[number]

/** The cost of deriving a key from a passphrase: `N` is `2 ** logN`. */
export interface ScryptCost {
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** What an encrypted backup says about itself. Nothing of it is secret. */
export interface Header {
  readonly keySource: KeySource
  /** Zeros with a key file. */
  readonly scrypt: ScryptCost
  /** 32 random bytes. */
  readonly salt: Uint8Array
  /** Identifies the key among others, in 16 hexadecimal digits. */
  readonly keyId: string
  /** The size of the database, in bytes. */
  readonly bytes: number
  /** The SHA-256 of the database, in hexadecimal. */
  readonly sha256: string
}

/** Where each field begins, in bytes. */
const AT = { version: 8, keySource: 9, scrypt: 10, salt: 16, keyId: 48, bytes: 56, sha256: 64, mac: 96 }

/** Writes a header with its authentication code. */
export function encodeHeader(header: Header, headerKey: Uint8Array): Buffer {
  const encoded = Buffer.alloc(HEADER_BYTES)
  encoded.write(MAGIC, 'latin1')
  encoded[AT.version] = VERSION
  encoded[AT.keySource] = KEY_SOURCES.indexOf(header.keySource)
  encoded.set([header.scrypt.logN, header.scrypt.r, header.scrypt.p], AT.scrypt)
  encoded.set(header.salt, AT.salt)
  encoded.write(header.keyId, AT.keyId, 'hex')
  encoded.writeBigUInt64BE(BigInt(header.bytes), AT.bytes)
  encoded.write(header.sha256, AT.sha256, 'hex')
  computeMac(encoded, headerKey).copy(encoded, AT.mac)
  return encoded
}

/** Whether a file that begins with these bytes is an encrypted backup. */
export const isEncryptedStart = (start: Buffer): boolean => start.toString('latin1', 0, MAGIC_BYTES) === MAGIC

/** Reads a header, which can have been changed. @throws EncryptedBackupError */
export function decodeHeader(encoded: Buffer): Header {
  if (!isEncryptedStart(encoded)) throw new EncryptedBackupError('is not an encrypted backup of Reeve.')
  if (encoded.length < HEADER_BYTES) throw incompleteError(encoded.length)
  const version = encoded.readUInt8(AT.version)
  if (version !== VERSION)
    throw new EncryptedBackupError(
      `has format ${version}, which this version of Reeve does not know. Use a newer version.`,
    )
  const keySource = KEY_SOURCES[encoded.readUInt8(AT.keySource)]
  if (keySource === undefined) throw changedError('its header is invalid')
  const [logN = 0, r = 0, p = 0] = encoded.subarray(AT.scrypt, AT.scrypt + 3)
  return {
    keySource,
    scrypt: { logN, r, p },
    salt: encoded.subarray(AT.salt, AT.keyId),
    keyId: encoded.toString('hex', AT.keyId, AT.bytes),
    bytes: Number(encoded.readBigUInt64BE(AT.bytes)),
    sha256: encoded.toString('hex', AT.sha256, AT.mac),
  }
}

/** @throws EncryptedBackupError if a header is not as it was written */
export function verifyHeader(encoded: Buffer, headerKey: Uint8Array): void {
  const mac = encoded.subarray(AT.mac, HEADER_BYTES)
  if (!timingSafeEqual(mac, computeMac(encoded, headerKey)))
    throw changedError('its header does not match its authentication code')
}

const computeMac = (encoded: Buffer, headerKey: Uint8Array): Buffer =>
  createHmac('sha256', headerKey).update(encoded.subarray(0, AT.mac)).digest().subarray(0, MAC_BYTES)

/** @param what the difference, such as "chunk 3 does not match its authentication code" */
export const changedError = (what: string): EncryptedBackupError =>
  new EncryptedBackupError(`was changed or damaged: ${what}. Choose another backup.`)

/** @param bytes the size of what there is */
export const incompleteError = (bytes: number): EncryptedBackupError =>
  new EncryptedBackupError(
    `is incomplete: it ends after ${bytes.toLocaleString('en')} bytes. Choose another backup.`,
  )
