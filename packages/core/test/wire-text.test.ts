import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isPermission, permissions, wire } from '../src/index.ts'
import { anyText, mutated } from './arbitraries.ts'
import { RUNS, readOrNull, testCodec } from './codec-properties.ts'

/** Some of the characters that show nothing. */
const INVISIBLE = [
  ...'\u00a0\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200d\u202e\u2060\u2800\u3000\u3164\ufe0f\ufeff\uffa0\u{e0061}',
]

/** Whether a character is not allowed in free text. */
const isControl = (code: number) => (code < 32 && code !== 9 && code !== 10) || (code >= 127 && code < 160)
const isBlank = (text: string) => /^[\s\p{Cf}\p{DI}\u2800]*$/u.test(text)
const isPlain = (text: string) =>
  text.isWellFormed() &&
  (text.trim() === '' || !isBlank(text)) &&
  ![...text.replaceAll(/\r\n?/g, '\n')].some((item) => isControl(item.codePointAt(0) ?? 0))
const countCharacters = (text: string) => [...text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim()].length

describe('text', () => {
  const lines = wire.text({ max: 20, multiline: true })
  const line = wire.text({ min: 1, max: 20 })
  const normal = (unit: 'grapheme' | 'grapheme-ascii') =>
    fc
      .string({ unit, maxLength: 12 })
      .map((text) => text.normalize('NFC').trim())
      .filter((text) => isPlain(text) && [...text].length <= 20)
  describe('of multiple lines', () => {
    testCodec(lines, normal('grapheme'), (text) => isPlain(text) && countCharacters(text) <= 20)
    test('keeps its line breaks and normalizes them to \\n', () => {
      expect(lines.read('a\r\nb\rc\nd')).toBe('a\nb\nc\nd')
    })
  })
  describe('of one line', () => {
    const isOneLine = (text: string) =>
      !/[\n\t\u2028\u2029]/.test(text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim())
    testCodec(
      line,
      normal('grapheme').filter((text) => text !== '' && isOneLine(text)),
      (text) => isPlain(text) && isOneLine(text) && countCharacters(text) >= 1 && countCharacters(text) <= 20,
    )
  })
  test('that consists of invisible characters is refused; a visible one is enough', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...INVISIBLE), { minLength: 1, maxLength: 8 }), (characters) => {
        const text = characters.join('')
        expect(text.trim() === '' ? '' : readOrNull(lines, text)).toBe(text.trim() === '' ? '' : null)
        expect(readOrNull(line, text)).toBeNull()
        for (const visible of ['a', '字', '🎮', '-', '\u0301'])
          expect(readOrNull(lines, text + visible)).not.toBeNull()
      }),
    )
    expect(line.read('👩\u200d🚀 ❤\ufe0f')).toBe('👩\u200d🚀 ❤\ufe0f')
  })
  test('counts code points after normalization', () => {
    expect(line.read('🎮'.repeat(20))).toBe('🎮'.repeat(20))
    expect(readOrNull(line, '🎮'.repeat(21))).toBeNull()
    expect(line.read(`${'e\u0301'.repeat(20)}  `)).toBe('é'.repeat(20))
  })
})

describe('one of a list of values', () => {
  const codec = wire.oneOf(['ban', 'unban', 'warn'], { pardon: 'unban', warning: 'warn' })
  const accepted = ['ban', 'unban', 'warn', 'pardon', 'warning']
  testCodec(
    codec,
    fc.constantFrom('ban', 'unban', 'warn'),
    (text) => accepted.includes(text),
    fc.constantFrom(...accepted),
  )
  test('does not accept the names of inherited properties', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(readOrNull(codec, name)).toBeNull()
    }
  })
})

describe('an https URL', () => {
  const urls = fc
    .webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true })
    .map((text) => new URL(text).href)
  test('a formatted value parses back to itself', () => {
    fc.assert(
      fc.property(urls, (href) => {
        expect(wire.httpsUrl.read(href)).toBe(href)
      }),
      RUNS,
    )
  })
  test('is accepted only with https, without credentials and white space, up to 2000 characters', () => {
    fc.assert(
      fc.property(fc.oneof(mutated(urls), anyText), (text) => {
        const read = readOrNull(wire.httpsUrl, text)
        if (!read) return
        const url = new URL(read.value)
        expect([url.protocol, url.username, url.password]).toEqual(['https:', '', ''])
        expect(read.value.length).toBeLessThanOrEqual(2000)
        expect(read.value).toMatch(/^https:\/\/[\x21-\x7e]+$/)
        expect(text.trim()).not.toMatch(/[\s\p{Cc}]/u)
        expect(wire.httpsUrl.read(read.value)).toBe(read.value)
      }),
      RUNS,
    )
  })
  test('other texts are rejected', () => {
    const bad = [
      ...[
        '',
        'http://example.com/',
        'javascript:alert(1)',
        'https://',
        'https:example.com',
        '//example.com/',
      ],
      ...[
        'https://me:secret@example.com/',
        'https://me@example.com/',
        'data:text/html,x',
        'https:\\\\example.com',
      ],
      ...[
        'https://exa mple.com/',
        'https://example.com/a\nb',
        'https://example.com/a\tb',
        ' https://a/\u0000',
      ],
      ...[`https://example.com/${'é'.repeat(900)}`, `https://example.com/${'a'.repeat(2000)}`],
    ]
    for (const text of bad)
      expect({ text, read: readOrNull(wire.httpsUrl, text) }).toEqual({ text, read: null })
  })
})

describe('a permission set', () => {
  const sets = fc.subarray([...permissions])
  const parseParts = (text: string): unknown => {
    if (!text.trimStart().startsWith('[')) return text.split(',').map((part) => part.trim())
    try {
      return JSON.parse(text)
    } catch {
      return null
    }
  }
  const accepts = (text: string) => {
    const parts = parseParts(text)
    return (
      Array.isArray(parts) &&
      parts.every((part) => part === '' || (typeof part === 'string' && isPermission(part)))
    )
  }
  testCodec(
    wire.permissionSet,
    sets,
    accepts,
    fc.oneof(
      sets.map(wire.permissionSet.write),
      sets.map((set) => set.join()),
    ),
  )
  test('contains each permission once, in the order of the catalog', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...permissions)), (names) => {
        const expected = permissions.filter((item) => names.includes(item))
        expect(wire.permissionSet.read(names.join(' , '))).toEqual(expected)
        expect(wire.permissionSet.read(JSON.stringify(names))).toEqual(expected)
      }),
    )
  })
  test('can be empty', () => {
    for (const text of ['', ' ', '[]', ',']) expect(wire.permissionSet.read(text)).toEqual([])
  })
})
