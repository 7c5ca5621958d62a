import { expect, test } from 'bun:test'
import { createIdFinder, createJsonFinder } from '../src/erasures/player-text.ts'

test('an id with characters that have a meaning in patterns is found only as it is written', () => {
  const containsId = createIdFinder(['game:a.b|c(d', 'a.b|c(d'])
  expect(containsId('Alt of game:a.b|c(d.')).toBe(true)
  expect(containsId('Alt of a.b|c(d')).toBe(true)
  for (const other of ['Alt of game:aXb|c(d', 'Alt of a.b', 'Alt of c(d'])
    expect(containsId(other)).toBe(false)
})

test('an id is not found as a part of a longer one', () => {
  const containsId = createIdFinder(['156'])
  expect(containsId('Alt of 156, and of 157')).toBe(true)
  for (const other of ['Alt of 1567', 'Alt of 0156', 'Alt of x156']) expect(containsId(other)).toBe(false)
})

const UUID = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

test('a player is found in JSON by a field for ids or by a text, and not by a number, a time or another id', () => {
  const namesPlayer = createJsonFinder(['2026', 'roblox:2026', UUID])
  const find = (value: object) => namesPlayer(JSON.stringify({ data: [value] }))
  for (const named of [
    ...[{ userId: '2026' }, { userIds: ['1', 'roblox:2026'] }, { actorPlatformUserId: '2026' }],
    ...[{ reason: 'Alts:\n2026' }, { evidence: ['See 2026'] }, { record: { comments: [{ text: '2026!' }] } }],
    ...[{ message: 'The player 2026 is linked already.' }, { evidence: ['2026'] }, { evidence: [UUID] }],
  ])
    expect([named, find(named)]).toEqual([named, true])
  for (const other of [
    ...[{ caseNumber: '2026' }, { durationSeconds: '2026' }, { userId: '20261' }, { version: 2026 }],
    ...[{ createdAt: '2026-03-02T18:00:00.000Z' }, { id: '01a21d9f-2026-7708-8afa-91552bd13aa2' }],
    { caseNumber: '1', message: 'You are banned until 2 March 2026, 18:00 UTC.' },
  ])
    expect([other, find(other)]).toEqual([other, false])
})
