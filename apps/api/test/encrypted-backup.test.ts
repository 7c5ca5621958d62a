import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHUNK_BYTES, LENGTH_BYTES, TAG_BYTES } from '../src/backups/encryption/chunks.ts'
import { openEncryptedBackup } from '../src/backups/encryption/decrypt.ts'
import { computeMaxEncryptedBytes, encryptBackup } from '../src/backups/encryption/encrypt.ts'
import { HEADER_BYTES } from '../src/backups/encryption/header.ts'
import type { BackupSecret } from '../src/backups/encryption/keys.ts'

const KEY: BackupSecret = {
  source: 'key file',
  file: '/etc/reeve/backup.key',
  key: Uint8Array.from({ length: 32 }, (_, index) => index),
}
const OTHER_KEY: BackupSecret = { ...KEY, key: new Uint8Array(32) }
const PASSPHRASE: BackupSecret = { source: 'passphrase', text: 'correct horse battery' }
const SALT = Uint8Array.from({ length: 32 }, (_, index) => 255 - index)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reeve-encryption-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function encrypt(content: Uint8Array, secret = KEY, salt?: Uint8Array): Promise<Buffer> {
  const file = join(folder, 'plain')
  writeFileSync(file, content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const chunks = encryptBackup({ file, bytes: content.length, sha256 }, secret, () => {}, salt)
  return Buffer.concat(await Array.fromAsync(chunks))
}

/** A stream of pieces whose size has nothing to do with that of the chunks. */
async function* toStream(bytes: Uint8Array, piece = 300_007): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
}

async function decrypt(encrypted: Uint8Array, secret: BackupSecret | null = KEY): Promise<Buffer> {
  const { content } = await openEncryptedBackup(toStream(encrypted), secret)
  return Buffer.concat(await Array.fromAsync(content))
}

/** Where each chunk begins, and the end. */
function findChunks(encrypted: Buffer): number[] {
  const starts = [HEADER_BYTES]
  for (let at = HEADER_BYTES; at < encrypted.length; ) {
    at += LENGTH_BYTES + encrypted.readUInt32BE(at) + TAG_BYTES
    starts.push(at)
  }
  return starts
}

const flip = (encrypted: Buffer, at: number): Buffer => {
  const changed = Buffer.from(encrypted)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

describe('an encrypted backup', () => {
  const TEXT = 'Reeve keeps the staff side of a game community.'
  const HEADER_OF_KEY =
    '526565766542616b0100000000000000fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0' +
    'd97aa273a85c9bb4000000000000002f87cb25f8b9ed1ea6039908b1789f14938886f291c8b8cc7f483539ab6cdbf13f' +
    'c554ba4878c5a38bcfe6a83853e4fa0dc30a318e850b99ff17f93c9857cf4695'
  const VECTORS: readonly [BackupSecret, string][] = [
    [
      KEY,
      `${HEADER_OF_KEY}00000038f7f5786b5e42d66bd419977bbcd32fa94e5691d7f5d78edb8b4a2958ebf2abc17019bab45f1e774ff7bf35ac` +
        'bce34a6006560dea31bb0862cad3621c01c529eddf0d678d7bf5d393',
    ],
    [
      PASSPHRASE,
      '526565766542616b0101100802000000fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0' +
        'bd1aa0ac339057f3000000000000002f87cb25f8b9ed1ea6039908b1789f14938886f291c8b8cc7f483539ab6cdbf13f' +
        'bcfb1b3bc595996fa8e708f703fd241920557afb344166f8143fa7b9c75e03d9' +
        '00000038afc7f50ef7d7b5c3dd662845e5f927e664ffd53a30bc40d34e0d78296386c13689b7f07e671089c1adc607e8' +
        'a1feabdbfce0448ae8c0d7cd599043573d795c8bc71e4e80fe59b1fc',
    ],
  ]

  test('of version 1.0.0 can be decrypted by every later one', async () => {
    for (const [secret, hex] of VECTORS)
      expect((await decrypt(Buffer.from(hex, 'hex'), secret)).toString()).toBe(TEXT)
  })

  test('has a header that depends on the key, the salt and the content only', async () => {
    const encrypted = await encrypt(Buffer.from(TEXT), KEY, SALT)
    expect(encrypted.toString('hex', 0, HEADER_BYTES)).toBe(HEADER_OF_KEY)
  })

  test('of any size is decrypted to what was encrypted, and is not larger than computed', async () => {
    for (const size of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES + 7]) {
      for (const content of [randomBytes(size), Buffer.alloc(size, 'audit ')]) {
        const encrypted = await encrypt(content)
        expect((await decrypt(encrypted)).equals(content)).toBe(true)
        expect(encrypted.length).toBeLessThanOrEqual(computeMaxEncryptedBytes(size))
      }
    }
  })

  test('is compressed, contains nothing readable, and differs each time', async () => {
    const content = Buffer.alloc(2 * CHUNK_BYTES, 'exploiting in the tower ')
    const [first, second] = [await encrypt(content), await encrypt(content)]
    expect(first.length).toBeLessThan(10_000)
    expect(first.includes('exploiting')).toBe(false)
    expect(first.subarray(HEADER_BYTES).equals(second.subarray(HEADER_BYTES))).toBe(false)
  })

  test('is not completed if the file is not the one with the checksum', async () => {
    const file = join(folder, 'changed')
    writeFileSync(file, 'other content')
    const backup = { file, bytes: 13, sha256: '0'.repeat(64) }
    const chunks: Buffer[] = []
    const encrypting = (async () => {
      for await (const chunk of encryptBackup(backup, KEY)) chunks.push(chunk)
    })()
    await expect(encrypting).rejects.toThrow('changed while it was being encrypted')
    expect(chunks.map(({ length }) => length)).toEqual([HEADER_BYTES])
  })
})

describe('an encrypted backup is rejected', () => {
  const content = randomBytes(2 * CHUNK_BYTES + 5000)
  let encrypted: Buffer
  let chunks: number[]
  beforeAll(async () => {
    encrypted = await encrypt(content)
    chunks = findChunks(encrypted)
  })
  const chunkAt = (index: number): Buffer => encrypted.subarray(chunks[index], chunks[index + 1])

  test('with another key or passphrase, or none', async () => {
    const withPassphrase = await encrypt(content.subarray(0, 100), PASSPHRASE)
    const cases: [Buffer, BackupSecret | null, string][] = [
      [encrypted, OTHER_KEY, 'was encrypted with another key: that with the ID d97aa273a85c9bb4'],
      [encrypted, PASSPHRASE, 'was encrypted with a key file. Set REEVE_BACKUP_KEY_FILE.'],
      [encrypted, null, 'was encrypted with a key file. Set REEVE_BACKUP_KEY_FILE.'],
      [withPassphrase, KEY, 'was encrypted with a passphrase. Set REEVE_BACKUP_PASSPHRASE.'],
      [
        withPassphrase,
        { ...PASSPHRASE, text: 'correct horse batterY' },
        'was encrypted with another passphrase.',
      ],
    ]
    for (const [backup, secret, message] of cases)
      await expect(decrypt(backup, secret)).rejects.toThrow(message)
  })

  test('with a changed byte, wherever it is', async () => {
    const [magic, version, keySource, scrypt, salt, keyId, bytes, sha256, mac] = [
      0, 8, 9, 10, 16, 48, 56, 64, 96,
    ]
    const cases: [number, RegExp][] = [
      [magic as number, /is not an encrypted backup of Reeve/],
      [version as number, /has format 0, which this version of Reeve does not know/],
      [keySource as number, /was encrypted with a passphrase/],
      [keyId as number, /was encrypted with another key/],
      ...[scrypt, salt, bytes, sha256, mac, HEADER_BYTES - 1].map((at): [number, RegExp] => [
        at as number,
        /was changed or damaged: its header does not match/,
      ]),
      [HEADER_BYTES, /was changed or damaged: chunk 1 has an invalid length/],
      [HEADER_BYTES + 3, /was changed or damaged: chunk 1 does not match/],
      [HEADER_BYTES + 4, /was changed or damaged: chunk 1 does not match/],
      [(chunks[1] ?? 0) + 100, /was changed or damaged: chunk 2 does not match/],
      [(chunks[2] ?? 0) - 1, /was changed or damaged: chunk 2 does not match/],
      [encrypted.length - 1, /was changed or damaged: chunk 3 does not match/],
    ]
    for (const [at, message] of cases)
      expect({ at, error: await decrypt(flip(encrypted, at)).catch(String) }).toEqual({
        at,
        error: expect.stringMatching(message),
      })
  })

  test('where it ends too early, also between two chunks', async () => {
    const lengths = [0, 5, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 2, ...chunks.slice(1, -1)]
    for (const length of [...lengths, encrypted.length - 1]) {
      const message =
        length === 0 || length === 5 ? 'is not an encrypted backup' : 'is incomplete: it ends after'
      expect({ length, error: await decrypt(encrypted.subarray(0, length)).catch(String) }).toEqual({
        length,
        error: expect.stringContaining(message),
      })
    }
  })

  test('with chunks in another order, missing, repeated or from another backup, and with something after its end', async () => {
    const header = encrypted.subarray(0, HEADER_BYTES)
    const other = await encrypt(content)
    const otherChunks = findChunks(other)
    const cases: Buffer[][] = [
      [header, chunkAt(1), chunkAt(0), chunkAt(2)],
      [header, chunkAt(1), chunkAt(2)],
      [header, chunkAt(0), chunkAt(2)],
      [header, chunkAt(0), chunkAt(0), chunkAt(1), chunkAt(2)],
      [header, chunkAt(0), other.subarray(otherChunks[1], otherChunks[2]), chunkAt(2)],
      [other.subarray(0, HEADER_BYTES), chunkAt(0), chunkAt(1), chunkAt(2)],
      [encrypted, chunkAt(2)],
      [encrypted, Buffer.alloc(1)],
    ]
    for (const pieces of cases)
      await expect(decrypt(Buffer.concat(pieces))).rejects.toThrow(
        /chunk \d does not match its authentication code|is incomplete|something was added after its end/,
      )
    await expect(decrypt(Buffer.concat([encrypted, chunkAt(2)]))).rejects.toThrow(
      'something was added after its end',
    )
  })

  test('without using the memory that its header asks for', async () => {
    const header = flip(encrypted.subarray(0, HEADER_BYTES), 9)
    header.set([30, 8, 1], 10)
    await expect(decrypt(header, PASSPHRASE)).rejects.toThrow('its header is invalid')
  })
})
