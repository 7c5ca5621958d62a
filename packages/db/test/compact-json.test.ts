import { expect, test } from 'bun:test'
import { decodeCompactJson, encodeCompactJson } from '../src/compact-json.ts'

const roundTrip = (json: string) => decodeCompactJson(encodeCompactJson(json))

test('every text is decoded to itself', () => {
  const strings = [
    '',
    'x',
    '","reason":"',
    '\\","reason":"',
    '\u0080\u00bf',
    'é',
    '試',
    '😀',
    '\ufeff',
    '":null,"',
    '"}',
    '\0',
    '\n',
  ]
  for (const one of strings)
    for (const other of strings) {
      for (const json of [
        one + other,
        JSON.stringify({ before: null, after: { caseNumber: one, action: 'ban', userId: other }, salt: one }),
        JSON.stringify({
          before: { reason: one },
          after: { reason: other, [one]: null },
          target: { name: other },
        }),
      ])
        expect(roundTrip(json)).toBe(json)
    }
})

test('an entry takes less than half of the space of its JSON', () => {
  const json = JSON.stringify({
    before: null,
    after: {
      caseNumber: '48213',
      action: 'ban',
      userId: '2000048210',
      userUsername: 'Shadow_wolf4711',
      reason: 'Exploiting in the tower',
      severity: 'high',
      status: 'active',
      actorUsername: 'Moderator7',
      actorPlatformUserId: '1999999993',
    },
    salt: 'c2FsdHNhbHRzYWx0',
  })
  expect(encodeCompactJson(json).length).toBeLessThan(json.length / 2)
})

test('texts of users never take fewer bytes than they have, so that the size of an entry limits its text', () => {
  const text = '","reason":"'.repeat(1000)
  expect(encodeCompactJson(JSON.stringify({ before: null, after: { name: text } })).length).toBeGreaterThan(
    text.length,
  )
})
