import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasInvisibleCharacters, removeInvisibleCharacters, wire } from '../src/index.ts'

const codec = wire.name({ min: 1, max: 100 })

describe('a name', () => {
  test('must not contain invisible or bidirectional control characters', () => {
    for (const name of [
      'Night\u200bShift',
      'Night\u2060Shift',
      'Mod\u202erotar',
      '\u2066Mod\u2069',
      '\u200fMod',
      'Mod\u00ad',
      'Mo\ufeffd',
      'Mod\u3164',
      'M\u2800d',
      'Mod\u{e0041}',
      // Not between the letters of a script that uses them.
      'Mo\u200dd',
      'Mod\u200c',
      'M\ufe0fod',
    ]) {
      expect(() => codec.read(name), JSON.stringify(name)).toThrow(
        'must not contain invisible characters or characters that change the direction of text',
      )
    }
  })

  test('keeps letters of all scripts, emoji and their sequences, and the joiners of some scripts', () => {
    for (const name of [
      // The badge that Roblox shows after a name, and a character of a later version of Unicode.
      'Mod\ue000',
      'Mod\u{10fffd}',
      'Zoë’s — “Night” shift 2',
      '夜勤チーム',
      'الليل',
      'می\u200cخواهم',
      'क्\u200dष',
      '👩\u200d👩\u200d👧 Family',
      '☀\ufe0f Day',
      '1\ufe0f\u20e3 First',
      '👍🏽 Yes',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England',
    ]) {
      expect(codec.read(name)).toBe(name.normalize('NFC'))
    }
  })
})

test('a text without its invisible characters is a name, and one that is a name stays as it is', () => {
  const parts = [
    'a',
    'م',
    'क',
    '\u0301',
    '👩',
    '1',
    '🏴',
    ...'\u200b\u200c\u200d\u061c\u180b\u034f\ufe0f\u20e3\u2028\u2800',
    '\u{e0067}',
    '\u{e007f}',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 10 }), (characters) => {
      const text = characters.join('')
      const visible = removeInvisibleCharacters(text)
      expect(hasInvisibleCharacters(visible)).toBe(false)
      expect(visible === text).toBe(!hasInvisibleCharacters(text))
    }),
    { numRuns: 2000 },
  )
})
