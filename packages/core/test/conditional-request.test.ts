import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { assertVersion, matchesIfNoneMatch, parseIfMatch } from '../src/index.ts'

describe('If-Match', () => {
  const tags = fc.array(fc.integer({ min: 1 }).map(String), { minLength: 1, maxLength: 4 })
  test('accepts exactly the versions that it lists', () => {
    fc.assert(
      fc.property(tags, fc.integer({ min: 1, max: 9 }), (versions, version) => {
        const expected = parseIfMatch(versions.map((tag) => `"${tag}"`).join(', '))
        expect(expected).toEqual(versions)
        const check = () => assertVersion({ version }, expected)
        if (versions.includes(String(version))) check()
        else expect(check).toThrow('has changed since')
      }),
    )
  })
  test('accepts any version if absent or *; anything else is invalid', () => {
    for (const header of [null, undefined, '*', ' * ']) expect(parseIfMatch(header)).toBeNull()
    for (const header of ['', '1', 'W/"1"', '"1', '"1",', '"1" "2"', "'1'"]) {
      expect(() => parseIfMatch(header)).toThrow()
    }
  })
})

test('If-None-Match matches any tag, or a listed one, weak or strong, and nothing else', () => {
  const matches = (header: string, etag: string) =>
    matchesIfNoneMatch(new Request('http://localhost/', { headers: { 'if-none-match': header } }), etag)
  for (const etag of ['"a"', 'W/"a"']) {
    for (const header of ['"a"', 'W/"a"', '"b", "a"', 'W/"b","x, y" ,W/"a"', '*', ' * '])
      expect([header, matches(header, etag)]).toEqual([header, true])
    for (const header of ['"b"', 'a', '', '"a', '"*"', '"b, a"', '"A"'])
      expect([header, matches(header, etag)]).toEqual([header, false])
    expect(matchesIfNoneMatch(new Request('http://localhost/'), etag)).toBe(false)
  }
})
