import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { encodeCommonPasswords, readCommonPasswords } from '../create-common-passwords.ts'
import { isCommonPassword } from '../src/methods/password/common-passwords.ts'

test('the 50,000 most common leaked passwords that are long enough are refused, in any case', async () => {
  const passwords = await readCommonPasswords()
  expect(passwords).toHaveLength(50_000)
  expect(passwords.filter((password) => !isCommonPassword(password))).toEqual([])
  expect(passwords.filter((password) => !isCommonPassword(password.toUpperCase()))).toEqual([])
})

test.each(['Reeve12345', 'correct horse battery staple', 'Correct-Horse', 'Summer 2026', 'q1w2 e3r4 t5'])(
  '%p, which everybody knows, is refused',
  (password) => expect(isCommonPassword(password)).toBe(true),
)

test('passwords that people choose at random are accepted', () => {
  const accepted = Array.from({ length: 20_000 }, (_, index) => `lantern ${index} harbor velvet`)
  expect(accepted.filter(isCommonPassword)).toEqual([])
})

test('the list is the one that the package contains today', async () => {
  const file = join(import.meta.dir, '../src/methods/password/common-passwords.bin')
  const stored = Buffer.from(await Bun.file(file).bytes())
  expect(stored.equals(encodeCommonPasswords(await readCommonPasswords()))).toBe(true)
})
