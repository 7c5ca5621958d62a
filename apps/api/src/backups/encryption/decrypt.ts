import { ByteReader } from './byte-reader.ts'
import { LENGTH_BYTES, MAX_COMPRESSED_BYTES, openChunk, TAG_BYTES } from './chunks.ts'
import { EncryptedBackupError } from './error.ts'
import {
  changedError,
  decodeHeader,
  HEADER_BYTES,
  type Header,
  incompleteError,
  verifyHeader,
} from './header.ts'
import { type BackupSecret, deriveKeys, wrongSecretError } from './keys.ts'

/** An encrypted backup whose header was verified. */
export interface OpenBackup {
  readonly header: Header
  /** The database, chunk by chunk: each was authenticated, but the backup is complete only when the last one was read. */
  readonly content: AsyncIterable<Buffer>
  /** Stops reading. */
  readonly close: () => Promise<void>
}

/**
 * Reads the header of an encrypted backup.
 * @param secret null if none is configured
 * @throws EncryptedBackupError; what the stream throws
 */
export async function openEncryptedBackup(
  stream: AsyncIterable<Uint8Array>,
  secret: BackupSecret | null,
): Promise<OpenBackup> {
  const reader = new ByteReader(stream)
  const close = () => reader.close()
  try {
    const encoded = Buffer.from(await reader.read(HEADER_BYTES))
    const header = decodeHeader(encoded)
    if (secret?.source !== header.keySource) throw wrongSecretError(header, secret, '')
    const keys = deriveKeys(secret, header)
    if (keys.keyId !== header.keyId) throw wrongSecretError(header, secret, keys.keyId)
    verifyHeader(encoded, keys.headerKey)
    return { header, content: decryptChunks(reader, keys.payloadKey, encoded, header), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function* decryptChunks(
  reader: ByteReader,
  payloadKey: Uint8Array,
  encoded: Buffer,
  { bytes, sha256 }: Header,
): AsyncGenerator<Buffer> {
  const hash = new Bun.CryptoHasher('sha256')
  let read = 0
  for (let index = 0, isLast = false; !isLast; index++) {
    const sealed = await readSealedChunk(reader, index)
    isLast = await reader.isAtEnd()
    const content = openAtPlace(sealed, isLast, index, reader.position)
    hash.update(content)
    read += content.length
    yield content
  }
  if (read !== bytes || hash.digest('hex') !== sha256)
    throw changedError('its content does not match its checksum')

  /** Tells a truncated and a longer file from a changed chunk. */
  function openAtPlace(sealed: Buffer, isLast: boolean, index: number, position: number): Buffer {
    try {
      return openChunk(sealed, payloadKey, encoded, index, isLast)
    } catch (error) {
      if (!(error instanceof EncryptedBackupError) || !canOpen(sealed, !isLast, index)) throw error
      throw isLast ? incompleteError(position) : changedError('something was added after its end')
    }
  }

  function canOpen(sealed: Buffer, isLast: boolean, index: number): boolean {
    try {
      openChunk(sealed, payloadKey, encoded, index, isLast)
      return true
    } catch {
      return false
    }
  }
}

async function readSealedChunk(reader: ByteReader, index: number): Promise<Buffer> {
  const prefix = await reader.read(LENGTH_BYTES)
  if (prefix.length < LENGTH_BYTES) throw incompleteError(reader.position)
  const length = prefix.readUInt32BE()
  if (length > MAX_COMPRESSED_BYTES) throw changedError(`chunk ${index + 1} has an invalid length`)
  const sealed = await reader.read(length + TAG_BYTES)
  if (sealed.length < length + TAG_BYTES) throw incompleteError(reader.position)
  return sealed
}
