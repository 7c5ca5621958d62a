import { describe, expect, test } from 'bun:test'
import { longestSearchWord, matchRanks, rankTextMatch, toSearchText } from '@reeve/core'

test('accents, case, width, repeated spaces and invisible characters do not matter', () => {
  for (const [text, expected] of [
    ['José  Ángel', 'jose angel'],
    ['Ｆｕｌｌ', 'full'],
    ['Łódź Straße', 'lodz strasse'],
    ['Jose\u0301', 'jose'],
    ['\ufeffZero\u200bWidth\u200e', 'zerowidth'],
  ] as const)
    expect(toSearchText(text)).toBe(expected)
})

describe('a match', () => {
  test('is better the closer it is to the start of the text or of a word', () => {
    const ranks = ['mod', 'Moderator', 'Senior-Moderator', 'Commodore'].map((text) =>
      rankTextMatch(text, 'MOD'),
    )
    expect(ranks).toEqual([matchRanks.exact, matchRanks.prefix, matchRanks.wordPrefix, matchRanks.substring])
  })

  test('finds the start of a later word even if an earlier word contains the query', () => {
    expect(rankTextMatch('Commodore Moderator', 'mod')).toBe(matchRanks.wordPrefix)
  })

  test('of several words needs every word, in any order', () => {
    expect(rankTextMatch('Senior moderator', 'mod sen')).toBe(matchRanks.allWords)
    expect(rankTextMatch('Senior moderator', 'mod jun')).toBeNull()
  })

  test('with an empty query does not exist', () => {
    expect(rankTextMatch('Anything', '  ')).toBeNull()
  })

  test('always contains the longest word of the query', () => {
    expect(longestSearchWord('of Trainérs')).toBe('trainers')
  })
})
