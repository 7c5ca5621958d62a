import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AppError, foldName, pageAfter, paged, readCursor, wire, writeCursor } from '../src/index.ts'
import { anyText, near } from './near.ts'

const parts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger()), { maxLength: 3 })
const shapeOf = (given: readonly (string | number)[]) => given.map((one) => typeof one as 'string' | 'number')

/** What a cursor reads as, or null where it is refused, which must name it. */
function readOrNull(list: string, cursor: string, shape: readonly ('string' | 'number')[]) {
  try {
    return readCursor(list, cursor, shape)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).options.details?.[0]?.field).toBe('cursor')
    return null
  }
}

describe('a cursor', () => {
  test('is read back as it was written', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const cursor = writeCursor('list', given)
        expect(readCursor('list', wire.cursor.read(cursor), shapeOf(given))).toEqual(given)
      }),
      { numRuns: 1000 },
    )
  })

  test('of another list, or of another shape, is refused', () => {
    fc.assert(
      fc.property(parts, fc.string(), (given, other) => {
        fc.pre(other !== 'list')
        expect(readOrNull(other, writeCursor('list', given), shapeOf(given))).toBeNull()
        expect(readOrNull('list', writeCursor('list', given), [...shapeOf(given), 'string'])).toBeNull()
        const swapped = shapeOf(given).map((one) =>
          one === 'string' ? ('number' as const) : ('string' as const),
        )
        if (given.length > 0) expect(readOrNull('list', writeCursor('list', given), swapped)).toBeNull()
      }),
    )
  })

  test('that was altered is refused, or is one that could have been written', () => {
    fc.assert(
      fc.property(parts, fc.nat(), fc.constantFrom(...'AZaz09-_=+/. \n'), (given, at, put) => {
        const cursor = writeCursor('list', given)
        const place = at % (cursor.length + 1)
        for (const altered of [
          cursor.slice(0, place) + put + cursor.slice(place),
          cursor.slice(0, place) + put + cursor.slice(place + 1),
        ]) {
          const read = readOrNull('list', altered, shapeOf(given))
          if (read) expect(writeCursor('list', read)).toBe(altered)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('that is any other text is refused', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, near(fc.constant('W10'))), (text) => {
        expect(readOrNull('list', text, ['string', 'number'])).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })

  test('after the longest name there can be is still accepted', () => {
    // U+FDFA is the character that grows most when names are folded: to 18.
    for (const character of ['\ufdfa', '🎮', '"', 'İ']) {
      const cursor = writeCursor('departments', [foldName(character.repeat(100)), crypto.randomUUID()])
      expect(wire.cursor.read(cursor)).toBe(cursor)
    }
  })
})

describe('pages', () => {
  test('hold every row once, in order, whatever the limit', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(), { maxLength: 50 }),
        fc.integer({ min: 1, max: 20 }),
        (given, limit) => {
          const all = given.toSorted((one, other) => one - other)
          const seen: number[] = []
          let cursor: string | null = null
          do {
            const { after } = pageAfter('list', cursor === null ? { limit } : { limit, cursor }, ['number'])
            const from = after === null ? -1 : Number(after[0])
            const found = all.filter((one) => one > from).slice(0, limit + 1)
            const page: { rows: readonly number[]; nextCursor: string | null } = paged(
              found,
              limit,
              'list',
              (row) => [row],
            )
            seen.push(...page.rows)
            cursor = page.nextCursor
          } while (cursor !== null)
          expect(seen).toEqual(all)
        },
      ),
    )
  })
})
