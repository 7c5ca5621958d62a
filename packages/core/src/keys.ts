import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { KeyPurpose, Ports } from './ports.ts'

// Imported as `@reeve/core/keys`, so that the portal, which imports `@reeve/core`, never bundles it.

/** The size of the secret key of an instance, and of every key derived from it. */
export const SECRET_KEY_BYTES = 32

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Names the format, so that a later one can be told from it. */
const FORMAT = 'v1.'

/** Creates `Ports.deriveKey`: HKDF-SHA-256 of the secret key of the instance. Each key is derived once. */
export function createKeyDeriver(secretKey: Uint8Array): Ports['deriveKey'] {
  const derived = new Map<KeyPurpose, Uint8Array>()
  return (purpose) => {
    const existing = derived.get(purpose)
    if (existing) return existing
    const info = `reeve ${purpose}`
    const key = new Uint8Array(hkdfSync('sha256', secretKey, new Uint8Array(), info, SECRET_KEY_BYTES))
    derived.set(purpose, key)
    return key
  }
}

/** What a secret is encrypted for. */
export interface SecretUse {
  readonly purpose: KeyPurpose
  /** Where the secret is stored, such as `totp:<id of the factor>`: copied to another row, it cannot be decrypted. */
  readonly context: string
}

/**
 * Encrypts a secret that is stored in the database, with AES-256-GCM.
 * @returns printable ASCII without spaces: 42 characters, and 4 for every 3 bytes of the text
 */
export function encryptSecret(
  ports: Pick<Ports, 'deriveKey' | 'randomBytes'>,
  { purpose, context }: SecretUse,
  text: string,
): string {
  const nonce = ports.randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', ports.deriveKey(purpose), nonce)
  cipher.setAAD(Buffer.from(context))
  const encrypted = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return FORMAT + Buffer.concat(encrypted).toString('base64url')
}

/** A secret that cannot be decrypted: it was changed, belongs elsewhere, or was encrypted with another key. */
export class SecretDecryptionError extends Error {
  constructor() {
    super('a secret in the database cannot be decrypted with the key of this instance')
    this.name = 'SecretDecryptionError'
  }
}

/** Decrypts what `encryptSecret` returned for the same use. @throws SecretDecryptionError */
export function decryptSecret(
  ports: Pick<Ports, 'deriveKey'>,
  { purpose, context }: SecretUse,
  encrypted: string,
): string {
  const bytes = Buffer.from(encrypted.slice(FORMAT.length), 'base64url')
  if (!encrypted.startsWith(FORMAT) || bytes.length < NONCE_BYTES + TAG_BYTES)
    throw new SecretDecryptionError()
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', ports.deriveKey(purpose), nonce)
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    throw new SecretDecryptionError()
  }
}

/**
 * Encrypts a secret again, for the same use with another key.
 * @returns the secret as it was if `from` cannot decrypt it, because it belongs to a key that was lost before
 */
export function reencryptSecret(
  from: Pick<Ports, 'deriveKey'>,
  to: Pick<Ports, 'deriveKey' | 'randomBytes'>,
  use: SecretUse,
  encrypted: string,
): string {
  let text: string
  try {
    text = decryptSecret(from, use, encrypted)
  } catch (error) {
    if (error instanceof SecretDecryptionError) return encrypted
    throw error
  }
  return encryptSecret(to, use, text)
}
