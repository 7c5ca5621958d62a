import { describe, expect, test } from 'bun:test'
import { isCompletePlayerId, listOtherNames } from '../src/screens/moderation/player/player-lookup.ts'

test('only a text in the form of an id can open an unknown player, never a word', () => {
  for (const id of [
    '261',
    '76561198000000000',
    'steam:110000112345678',
    'STEAM_0:1:1234',
    'xbox:2533274800000000',
    '0198c0de-0000-7000-8000-000000000001',
  ]) {
    expect([id, isCompletePlayerId(id)]).toEqual([id, true])
  }
  for (const text of [
    'storm',
    'Storm2',
    'xX_rider_Xx',
    '26 1',
    'a:b',
    '26.1',
    '2-6',
    ':1',
    '26,1',
    '1'.repeat(65),
    '',
  ]) {
    expect([text, isCompletePlayerId(text)]).toEqual([text, false])
  }
})

describe('the other names of a search result', () => {
  const names = ['Rider', 'Old', 'Older']
  test('begin with the one that the search found', () => {
    const player = { userUsername: 'Newest', otherNames: names }
    expect(listOtherNames({ ...player, matchedName: 'Older' })).toEqual(['Older', 'Rider', 'Old'])
    expect(listOtherNames({ ...player, matchedName: 'Oldest' })).toEqual(['Oldest', ...names])
    expect(listOtherNames({ ...player, matchedName: 'NEWEST' })).toEqual(names)
    expect(listOtherNames({ ...player, matchedName: null })).toEqual(names)
  })
})
