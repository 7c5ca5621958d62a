import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { assertVersion, parseIfMatch, suggest } from '../src/index.ts'
import { anyText, mutated } from './arbitraries.ts'

const known = [
  'workspaceId',
  'userId',
  'name',
  'color',
  'description',
  'id',
  'action',
  'image_url',
  'imageUrl',
]

describe('a suggestion', () => {
  test('is always a name that is known', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mutated(fc.constantFrom(...known))), (text) => {
        const suggestion = suggest(text, known)
        if (suggestion !== null) expect(known).toContain(suggestion)
      }),
      { numRuns: 2000 },
    )
  })

  test('for a name in other letters is that name', () => {
    for (const name of known) {
      expect(suggest(name.toUpperCase(), known)).toBe(name)
      expect(suggest(name.toLowerCase(), known)).toBe(name)
    }
  })

  test('is made for one slip in a long name', () => {
    const long = known.filter((name) => name.length >= 9)
    fc.assert(
      fc.property(
        fc.constantFrom(...long),
        fc.nat(),
        fc.constantFrom(...'xyz_'),
        (name, offset, replacement) => {
          const index = offset % name.length
          expect(suggest(name.slice(0, index) + replacement + name.slice(index + 1), known)).not.toBeNull()
        },
      ),
    )
  })

  test('is not made for what is like nothing, or has no end', () => {
    expect(suggest('zzzzzzzzzzzz', known)).toBeNull()
    expect(suggest('x'.repeat(100_000), known)).toBeNull()
    expect(suggest('name', [])).toBeNull()
  })
})

describe('If-Match', () => {
  const tags = fc.array(fc.integer({ min: 1 }).map(String), { minLength: 1, maxLength: 4 })
  test('is read back as it was written, and lets through exactly the versions it lists', () => {
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
  test('absent or * lets every version through; anything else is refused by name', () => {
    for (const header of [null, undefined, '*', ' * ']) expect(parseIfMatch(header)).toBeNull()
    for (const header of ['', '1', 'W/"1"', '"1', '"1",', '"1" "2"', "'1'"]) {
      expect(() => parseIfMatch(header)).toThrow()
    }
  })
})
