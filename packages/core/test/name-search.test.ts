import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  findMatchRange,
  listNameGrams,
  listQueryGrams,
  matchName,
  NAME_WINDOW,
  nameMatches,
  toSearchKey,
  toSearchText,
} from '../src/index.ts'

const WORKSPACE = '0198c0de-0000-7000-8000-000000000001'
const id = NAME_WINDOW + 7

/** Names of letters that change their form, of marks, separators and letters that occur often. */
const names = fc
  .array(fc.constantFrom(...('aabbcA_ -.1éÉßæŁİıςΣʼ日本가\u0301\u0300😀'.match(/./gsu) ?? [])), {
    minLength: 1,
    maxLength: 12,
  })
  .map((characters) => characters.join(''))

test('the search key of a name has no accents and no case, and does not change again', () => {
  expect(toSearchKey('ÀÉÎõü Ąçž')).toBe('aeiou acz')
  expect(toSearchKey('ŁØÐÞßÆŒ')).toBe('lodthssaeoe')
  expect(toSearchKey('ＡﬁⅣ')).toBe('afiiv')
  expect(toSearchKey('İıI')).toBe('iii')
  expect(toSearchKey('\u0301')).toBe('')
  fc.assert(
    fc.property(names, (name) => {
      const key = toSearchKey(name)
      expect(toSearchKey(key)).toBe(key)
      expect(toSearchKey(name.normalize('NFD'))).toBe(key)
      expect(toSearchKey(name.toUpperCase())).toBe(toSearchKey(name.toUpperCase().toLowerCase()))
    }),
  )
})

test('the search key of a text is that of its characters, whatever their neighbors are', () => {
  const texts = fc.oneof(
    names,
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'αΣσςßıİ \u0345\u0307가') }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(toSearchKey(text)).toBe(Array.from(text, toSearchKey).join(''))
    }),
  )
})

test('a match is exact, at the start, at the start of a word, or anywhere from three characters', () => {
  const match = (name: string, query: string) => matchName(toSearchKey(name), toSearchKey(query))
  expect(match('Dark_Knight', 'dark_knight')).toBe('exact')
  expect(match('Dark_Knight', 'dar')).toBe('prefix')
  expect(match('Dark_Knight', 'k')).toBe('word')
  expect(match('Dark_Knight', '_kn')).toBe('substring')
  expect(match('Dark_Knight', '_k')).toBeNull()
  expect(match('Dark_Knight', 'ight')).toBe('substring')
  expect(match('Dark_Knight', 'ig')).toBeNull()
  expect(match('banana-ana', 'ana')).toBe('word')
  expect(match('name', '')).toBeNull()
})

test('a name has all grams of every search that matches it', () => {
  fc.assert(
    fc.property(names, fc.nat(12), fc.nat(12), (name, start, length) => {
      const key = toSearchKey(name)
      const query = [...key].slice(start, start + length).join('')
      const match = matchName(key, query)
      if (match === null) return
      const grams = new Set(listNameGrams(WORKSPACE, id, name))
      expect(listQueryGrams(WORKSPACE, id, query, match)?.filter((gram) => !grams.has(gram))).toEqual([])
    }),
    { numRuns: 2000 },
  )
})

test('a name with several spaces has all grams of the searches for it with one, unless all their words are letters', () => {
  const grams = new Set(listNameGrams(WORKSPACE, id, 'the  red   robin'))
  for (const [query, match] of [
    ['the red robin', 'exact'],
    ['the re', 'prefix'],
    ['red rob', 'word'],
    ['he red ro', 'substring'],
  ] as const) {
    expect(matchName(toSearchText('the  red   robin'), query)).toBe(match)
    expect(listQueryGrams(WORKSPACE, id, query, match)?.filter((gram) => !grams.has(gram))).toEqual([])
  }
  expect(listQueryGrams(WORKSPACE, id, 'a b', 'substring')).toHaveLength(2)
})

test('a long search looks for few grams, so that its time does not grow with its length, from all of its parts', () => {
  const isPossible = (name: string) => {
    const grams = new Set(listNameGrams(WORKSPACE, id, name))
    return listQueryGrams(WORKSPACE, id, 'dragon_knight99', 'substring')?.every((gram) => grams.has(gram))
  }
  expect(listQueryGrams(WORKSPACE, id, 'xxxabcdefghijklmnop', 'substring')).toHaveLength(5)
  expect(isPossible('the dragon_knight99')).toBe(true)
  for (const name of ['dragon_knight98', 'wagon_knight99', 'dragonknight99'])
    expect([name, isPossible(name)]).toEqual([name, false])
})

test('the grams of a search exclude other workspaces and windows, and other ways to match', () => {
  const grams = new Set(listNameGrams(WORKSPACE, id, 'red robin'))
  const isFound = (workspaceId: string, number: number, query: string, match: (typeof nameMatches)[number]) =>
    listQueryGrams(workspaceId, number, query, match)?.every((gram) => grams.has(gram)) ?? false
  expect(nameMatches.map((match) => isFound(WORKSPACE, id, 'robin', match))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(nameMatches.map((match) => isFound(WORKSPACE, id, 'r', match))).toEqual([false, true, true, false])
  expect(isFound('another', id, 'robin', 'word')).toBe(false)
  expect(isFound(WORKSPACE, NAME_WINDOW - 1, 'robin', 'word')).toBe(false)
})

describe('the part of a name that matches', () => {
  const part = (name: string, query: string) => {
    const range = findMatchRange(name, query)
    return range && name.slice(...range)
  }
  test('is in the spelling of the name, with its accents', () => {
    expect(part('xX_DárkKnight', 'dark')).toBe('Dárk')
    expect(part('xX_Da\u0301rkKnight', 'dark')).toBe('Da\u0301rk')
    expect(part('Straße', 'ss')).toBeNull()
    expect(part('Straße', 'strass')).toBe('Straß')
    expect(part('😀😀robin', 'OBI')).toBe('obi')
    expect(part('banana-ana', 'ana')).toBe('ana')
    expect(findMatchRange('banana-ana', 'ana')).toEqual([7, 10])
    expect(part('Red  Robin', 'd rob')).toBe('d  Rob')
    expect(part('Robin', '\ufeffrob\u200b')).toBe('Rob')
    expect(part('Robin', 'batman')).toBeNull()
    expect(part('Robin', '\u0301')).toBeNull()
  })

  test('has the search key of the search, or a letter more', () => {
    fc.assert(
      fc.property(names, fc.nat(12), fc.nat(12), (name, start, length) => {
        const query = [...toSearchKey(name)].slice(start, start + length).join('')
        const range = findMatchRange(name, query)
        expect(range !== null).toBe(matchName(toSearchText(name), toSearchText(query)) !== null)
        if (range !== null) expect(toSearchText(name.slice(...range))).toContain(toSearchText(query))
      }),
    )
  })
})
