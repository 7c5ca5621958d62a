import { hkdfSync, scryptSync } from 'node:crypto'
import { EncryptedBackupError } from './error.ts'
import type { Header, KeySource, ScryptCost } from './header.ts'

export const KEY_BYTES = 32

/** What backups are encrypted with. */
export type BackupSecret =
  | { readonly source: 'key file'; readonly file: string; readonly key: Uint8Array }
  | { readonly source: 'passphrase'; readonly text: string }

/** The keys of one backup. */
export interface BackupKeys {
  readonly keyId: string
  readonly headerKey: Uint8Array
  readonly payloadKey: Uint8Array
}

/** 64 MiB of memory and half a second. Source: OWASP Password Storage Cheat Sheet, scrypt. */
export const SCRYPT_COST: ScryptCost = { logN: 16, r: 8, p: 2 }
export const NO_SCRYPT: ScryptCost = { logN: 0, r: 0, p: 0 }
/** More than this would be an attempt to exhaust the memory of this machine: 128 * N * r bytes. */
const MAX_SCRYPT: ScryptCost = { logN: 20, r: 8, p: 16 }

/**
 * Derives the keys of a backup. Each has keys of its own, because its salt is random.
 * @throws EncryptedBackupError if the header asks for too much memory
 */
export function deriveKeys(
  secret: BackupSecret,
  { salt, scrypt }: Pick<Header, 'salt' | 'scrypt'>,
): BackupKeys {
  const main = secret.source === 'key file' ? secret.key : stretchPassphrase(secret.text, salt, scrypt)
  return {
    keyId: computeKeyId(main),
    headerKey: expand(main, salt, 'reeve backup header', KEY_BYTES),
    payloadKey: expand(main, salt, 'reeve backup payload', KEY_BYTES),
  }
}

/** Identifies a key without revealing it. */
export const computeKeyId = (key: Uint8Array): string =>
  Buffer.from(expand(key, new Uint8Array(), 'reeve backup key id', 8)).toString('hex')

function stretchPassphrase(passphrase: string, salt: Uint8Array, { logN, r, p }: ScryptCost): Uint8Array {
  if (logN > MAX_SCRYPT.logN || r > MAX_SCRYPT.r || p > MAX_SCRYPT.p || logN * r * p === 0)
    throw new EncryptedBackupError('was changed or damaged: its header is invalid. Choose another backup.')
  const N = 2 ** logN
  return scryptSync(passphrase.normalize('NFC'), salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r })
}

const expand = (key: Uint8Array, salt: Uint8Array, purpose: string, bytes: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, salt, purpose, bytes))

const VARIABLES: Readonly<Record<KeySource, string>> = {
  'key file': 'REEVE_BACKUP_KEY_FILE',
  passphrase: 'REEVE_BACKUP_PASSPHRASE',
}

/** The error for a backup that another secret opens. */
export function wrongSecretError(header: Header, secret: BackupSecret | null, keyId: string): Error {
  const variable = VARIABLES[header.keySource]
  if (secret?.source !== header.keySource)
    return new EncryptedBackupError(`was encrypted with a ${header.keySource}. Set ${variable}.`)
  return new EncryptedBackupError(
    secret.source === 'passphrase'
      ? `was encrypted with another passphrase. Set ${variable} to the one of that time.`
      : `was encrypted with another key: that with the ID ${header.keyId}, but ${secret.file} contains ${keyId}. ` +
          `Set ${variable} to the file of that key.`,
  )
}
