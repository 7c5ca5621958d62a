import { describe, expect, test } from 'bun:test'
import { generateFirstRunCode } from '../src/accounts/first-run.ts'
import { generateApiKey, generateToken, hashToken, isApiKey } from '../src/token.ts'

const withBytes = (byte: number) => ({ randomBytes: (length: number) => new Uint8Array(length).fill(byte) })
const random = { randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) }

describe('an API key', () => {
  test.each([0, 1, 127, 255])('of random bytes of %d has the same length and a valid checksum', (byte) => {
    const key = generateApiKey(withBytes(byte))
    expect(key).toMatch(/^rve_[0-9A-Za-z]{49}$/)
    expect(isApiKey(key)).toBe(true)
  })

  test('with any character changed is not an API key', () => {
    const key = generateApiKey(random)
    for (let index = 0; index < key.length; index++) {
      const changed = `${key.slice(0, index)}${key[index] === 'a' ? 'b' : 'a'}${key.slice(index + 1)}`
      expect([index, isApiKey(changed)]).toEqual([index, false])
    }
    for (const text of ['', key.slice(0, -1), `${key}a`, ` ${key}`]) expect(isApiKey(text)).toBe(false)
  })
})

test('a session token has 256 bits, safe in a cookie and a URL', () => {
  expect(generateToken(withBytes(255))).toMatch(/^[0-9A-Za-z_-]{43}$/)
  expect(generateToken(random)).not.toBe(generateToken(random))
})

test('tokens are stored as SHA-256 in hex', () => {
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('a first-run code has three groups of four characters that cannot be confused', () => {
  for (let byte = 0; byte < 256; byte++)
    expect(generateFirstRunCode(withBytes(byte)).text).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}(-|$)){3}$/)
})
