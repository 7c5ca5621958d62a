import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { CHUNK_BYTES, LENGTH_BYTES, MAX_COMPRESSED_BYTES, sealChunk, TAG_BYTES } from './chunks.ts'
import { encodeHeader, HEADER_BYTES } from './header.ts'
import { type BackupSecret, deriveKeys, KEY_BYTES, NO_SCRYPT, SCRYPT_COST } from './keys.ts'

/** A backup file to encrypt. */
export interface PlainBackup {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** The largest size that an encrypted backup can have, in bytes. */
export const computeMaxEncryptedBytes = (bytes: number): number =>
  HEADER_BYTES +
  Math.max(1, Math.ceil(bytes / CHUNK_BYTES)) * (LENGTH_BYTES + MAX_COMPRESSED_BYTES + TAG_BYTES)

/**
 * Encrypts a backup chunk by chunk.
 * @param onProgress gets the number of bytes read so far
 * @param salt not random only in tests
 * @throws Error if the file is not the one with that checksum; the last chunk is missing then
 */
export async function* encryptBackup(
  { file, bytes, sha256 }: PlainBackup,
  secret: BackupSecret,
  onProgress: (bytes: number) => void = () => {},
  salt: Uint8Array = randomBytes(KEY_BYTES),
): AsyncGenerator<Buffer> {
  const scrypt = secret.source === 'passphrase' ? SCRYPT_COST : NO_SCRYPT
  const { keyId, headerKey, payloadKey } = deriveKeys(secret, { salt, scrypt })
  const header = encodeHeader({ keySource: secret.source, scrypt, salt, keyId, bytes, sha256 }, headerKey)
  yield header
  const hash = new Bun.CryptoHasher('sha256')
  const handle = await open(file)
  try {
    let read = 0
    for (let index = 0; index === 0 || read < bytes; index++) {
      const content = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - read))
      const { bytesRead } = await handle.read(content, 0, content.length, read)
      hash.update(content)
      read += bytesRead
      const isLast = read === bytes
      if (bytesRead < content.length || (isLast && hash.digest('hex') !== sha256))
        throw new Error(`${file} changed while it was being encrypted. Create a new backup.`)
      yield sealChunk(content, payloadKey, header, index, isLast)
      onProgress(read)
    }
  } finally {
    await handle.close()
  }
}
