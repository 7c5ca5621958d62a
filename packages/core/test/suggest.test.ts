import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { suggest } from '../src/index.ts'
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
  test('is always one of the known names', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mutated(fc.constantFrom(...known))), (text) => {
        const suggestion = suggest(text, known)
        if (suggestion !== null) expect(known).toContain(suggestion)
      }),
      { numRuns: 2000 },
    )
  })

  test('ignores case', () => {
    for (const name of known) {
      expect(suggest(name.toUpperCase(), known)).toBe(name)
      expect(suggest(name.toLowerCase(), known)).toBe(name)
    }
  })

  test('is found for a long name with one typo', () => {
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

  test('is not found for an unrelated or very long name', () => {
    expect(suggest('zzzzzzzzzzzz', known)).toBeNull()
    expect(suggest('x'.repeat(100_000), known)).toBeNull()
    expect(suggest('name', [])).toBeNull()
  })
})
