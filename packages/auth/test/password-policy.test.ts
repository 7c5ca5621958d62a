import { describe, expect, test } from 'bun:test'
import { AppError } from '@reeve/core'
import { hashPassword, verifyPassword } from '../src/methods/password/hash.ts'
import { assertPasswordPolicy, existingPassword, newPassword } from '../src/methods/password/policy.ts'

describe('a new password', () => {
  test.each(['four words that I chose', '  pässwörter 🔑 и пробелы ', 'x1y2z3x1y2', 'ab c'.repeat(50)])(
    '%p is accepted unchanged',
    (password) => {
      expect(newPassword.read(password)).toBe(password)
    },
  )

  test.each([
    ['nine char', 'must be 10 to 200 characters'],
    ['🔑'.repeat(9), 'must be 10 to 200 characters'],
    ['abc'.repeat(67), 'must be 10 to 200 characters'],
    ['Password123', 'is too easy to guess'],
    ['abababababab', 'is too easy to guess'],
    ['a long secret \ud800', 'must be well-formed Unicode'],
  ])('%p is rejected', (password, message) => {
    expect(() => newPassword.read(password)).toThrow(message)
  })

  test('is rejected with the name of its field', () => {
    expect(() => assertPasswordPolicy('short')).toThrow(AppError)
    try {
      assertPasswordPolicy('short')
    } catch (error) {
      expect((error as AppError).options.details).toEqual([
        { field: 'password', message: 'must be 10 to 200 characters' },
      ])
    }
  })
})

test('an existing password may break the current policy, up to a length', () => {
  expect(existingPassword.read('short')).toBe('short')
  expect(existingPassword.read('x'.repeat(800))).toHaveLength(800)
  for (const text of ['', 'x'.repeat(801)]) expect(() => existingPassword.read(text)).toThrow('1 to 800')
})

test('no password matches the absence of a hash', async () => {
  expect(await verifyPassword('', null)).toBe(false)
  expect(await verifyPassword('four words that I chose', null)).toBe(false)
})

test('a password matches its hash, in any Unicode normalization', async () => {
  const hash = await hashPassword('pässwörter gehen')
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await verifyPassword('pässwörter gehen'.normalize('NFD'), hash)).toBe(true)
  expect(await verifyPassword('passworter gehen', hash)).toBe(false)
})
