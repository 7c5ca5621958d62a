import { expect, test } from 'bun:test'
import { parsePlayerId } from '../src/platforms/player-id.ts'
import { createPseudonym, listSanctionKeys } from '../src/player-hashes.ts'

const key = new Uint8Array(32).fill(1)

test('without pseudonyms, a check looks for nothing but the ids', () => {
  const userIds = ['261', 'steam:76561197960287930']
  expect(listSanctionKeys(userIds, { platforms: ['roblox'], pseudonymKey: null }).keys).toBe(userIds)
})

test('with pseudonyms, a check looks for those of every form of an id, and returns the id', () => {
  const actor = { platforms: ['steam', 'roblox'], pseudonymKey: key } as const
  const { keys, toRequested } = listSanctionKeys(['76561197960287930'], actor)
  for (const form of ['76561197960287930', 'steam:76561197960287930', 'STEAM_0:0:11101']) {
    const pseudonym = createPseudonym(key, form)
    expect(keys).toContain(form)
    expect(keys).toContain(pseudonym)
    expect(toRequested(pseudonym)).toBe('76561197960287930')
  }
  expect(toRequested('261')).toBe('261')
})

test('a pseudonym is an id that requests accept, and depends on the key', () => {
  const pseudonym = createPseudonym(key, '261')
  expect(parsePlayerId(pseudonym)).toBe(pseudonym)
  expect(createPseudonym(new Uint8Array(32).fill(2), '261')).not.toBe(pseudonym)
})
