import { describe, expect, test } from 'bun:test'
import { createKeyDeriver, decryptSecret, encryptSecret, SecretDecryptionError } from '../src/keys.ts'

const createPorts = (secretKey: Uint8Array) => ({
  deriveKey: createKeyDeriver(secretKey),
  randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
})
const ports = createPorts(new Uint8Array(32).fill(1))
const use = { purpose: 'factors', context: 'totp:1' } as const

describe('derived keys', () => {
  test('are HKDF-SHA-256 of the secret key and the purpose', () => {
    // Computed with Python's hmac by RFC 5869, without a salt.
    const expected = '0057f34400c91644b1b6436d1fc4583f0ceb9b757471e79f0d548eaa93b2d806'
    expect(Buffer.from(ports.deriveKey('audit')).toString('hex')).toBe(expected)
  })

  test('differ by purpose and by secret key', () => {
    const other = createPorts(new Uint8Array(32).fill(2))
    const keys = [ports.deriveKey('audit'), ports.deriveKey('factors'), other.deriveKey('audit')]
    expect(new Set(keys.map((key) => key.toHex())).size).toBe(3)
    expect(ports.deriveKey('audit')).toBe(ports.deriveKey('audit'))
  })
})

describe('an encrypted secret', () => {
  test('is decrypted with the same key for the same use', () => {
    for (const text of ['', 'JBSWY3DPEHPK3PXP', 'ключ 🔑'])
      expect(decryptSecret(ports, use, encryptSecret(ports, use, text))).toBe(text)
  })

  test('does not contain the text, and is different each time', () => {
    const encrypted = encryptSecret(ports, use, 'JBSWY3DPEHPK3PXP')
    expect(encrypted).toMatch(/^v1\.[\w-]{59}$/)
    expect(encryptSecret(ports, use, 'JBSWY3DPEHPK3PXP')).not.toBe(encrypted)
  })

  test('cannot be decrypted with another key, in another row, or for another purpose', () => {
    const encrypted = encryptSecret(ports, use, 'a secret')
    const other = createPorts(new Uint8Array(32).fill(2))
    expect(() => decryptSecret(other, use, encrypted)).toThrow(SecretDecryptionError)
    expect(() => decryptSecret(ports, { ...use, context: 'totp:2' }, encrypted)).toThrow(
      SecretDecryptionError,
    )
    expect(() => decryptSecret(ports, { ...use, purpose: 'audit' }, encrypted)).toThrow(SecretDecryptionError)
  })

  test('cannot be decrypted after any change', () => {
    const encrypted = encryptSecret(ports, use, 'a secret')
    for (let index = 0; index < encrypted.length - 1; index++) {
      const changed = `${encrypted.slice(0, index)}${encrypted[index] === 'A' ? 'B' : 'A'}${encrypted.slice(index + 1)}`
      expect(() => decryptSecret(ports, use, changed)).toThrow(SecretDecryptionError)
    }
    for (const text of ['', 'v1.', 'a secret', encrypted.slice(0, 20)])
      expect(() => decryptSecret(ports, use, text)).toThrow(SecretDecryptionError)
  })
})
