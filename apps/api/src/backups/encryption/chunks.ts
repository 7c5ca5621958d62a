import { createCipheriv, createDecipheriv } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { changedError } from './header.ts'

/** How much of the database a chunk contains, in bytes; the last one can contain less. */
export const CHUNK_BYTES = 2 ** 20
/** What precedes a chunk: its length without the authentication code. */
export const LENGTH_BYTES = 4
export const TAG_BYTES = 16
/** What a compressed chunk can have at most. Source: ZSTD_COMPRESSBOUND */
export const MAX_COMPRESSED_BYTES = CHUNK_BYTES + CHUNK_BYTES / 256 + 64
const NONCE_BYTES = 12

/**
 * The nonce of a chunk: its number and whether it is the last one, so that no chunk can be left out, moved or appended.
 * Source: Hoang, Reyhanitabar, Rogaway, Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance" (STREAM).
 */
function toNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

/** Compresses and encrypts a chunk. @param header the encoded header, which is authenticated too */
export function sealChunk(
  content: Uint8Array,
  payloadKey: Uint8Array,
  header: Uint8Array,
  index: number,
  isLast: boolean,
): Buffer {
  const compressed = zstdCompressSync(content)
  const cipher = createCipheriv('aes-256-gcm', payloadKey, toNonce(index, isLast))
  cipher.setAAD(header)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(compressed.length)
  return Buffer.concat([length, cipher.update(compressed), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts a chunk without its length. @throws EncryptedBackupError if it is not the one that was written at this place */
export function openChunk(
  sealed: Uint8Array,
  payloadKey: Uint8Array,
  header: Uint8Array,
  index: number,
  isLast: boolean,
): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', payloadKey, toNonce(index, isLast))
  decipher.setAAD(header)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const compressed = decipher.update(sealed.subarray(0, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    throw changedError(`chunk ${index + 1} does not match its authentication code`)
  }
  return zstdDecompressSync(compressed)
}
