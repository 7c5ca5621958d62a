import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  AppError,
  decodeCursor,
  encodeCursor,
  normalizeName,
  paginate,
  parsePage,
  wire,
} from '../src/index.ts'
import { anyText, mutated } from './arbitraries.ts'

const parts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger()), { maxLength: 3 })
const toShape = (values: readonly (string | number)[]) =>
  values.map((value) => typeof value as 'string' | 'number')

/** The decoded cursor, or null if it is rejected, which must be with an error on `cursor`. */
function readOrNull(list: string, cursor: string, shape: readonly ('string' | 'number')[]) {
  try {
    return decodeCursor(list, cursor, shape)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).options.details?.[0]?.field).toBe('cursor')
    return null
  }
}

describe('a cursor', () => {
  test('decodes to what was encoded', () => {
    fc.assert(
      fc.property(parts, (values) => {
        const cursor = encodeCursor('list', values)
        expect(decodeCursor('list', wire.cursor.read(cursor), toShape(values))).toEqual(values)
      }),
      { numRuns: 1000 },
    )
  })

  test('of another list or shape is rejected', () => {
    fc.assert(
      fc.property(parts, fc.string(), (values, other) => {
        fc.pre(other !== 'list')
        expect(readOrNull(other, encodeCursor('list', values), toShape(values))).toBeNull()
        expect(readOrNull('list', encodeCursor('list', values), [...toShape(values), 'string'])).toBeNull()
        const swapped = toShape(values).map((value) =>
          value === 'string' ? ('number' as const) : ('string' as const),
        )
        if (values.length > 0) expect(readOrNull('list', encodeCursor('list', values), swapped)).toBeNull()
      }),
    )
  })

  test('that was altered is rejected, unless it is a valid cursor itself', () => {
    fc.assert(
      fc.property(parts, fc.nat(), fc.constantFrom(...'AZaz09-_=+/. \n'), (values, offset, inserted) => {
        const cursor = encodeCursor('list', values)
        const index = offset % (cursor.length + 1)
        for (const altered of [
          cursor.slice(0, index) + inserted + cursor.slice(index),
          cursor.slice(0, index) + inserted + cursor.slice(index + 1),
        ]) {
          const read = readOrNull('list', altered, toShape(values))
          if (read) expect(encodeCursor('list', read)).toBe(altered)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('that is any other text is rejected', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mutated(fc.constant('W10'))), (text) => {
        expect(readOrNull('list', text, ['string', 'number'])).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })

  test('of the longest possible name is accepted', () => {
    // U+FDFA is the character that grows most in NFKC: to 18 characters.
    for (const character of ['\ufdfa', '🎮', '"', 'İ']) {
      const cursor = encodeCursor('departments', [normalizeName(character.repeat(100)), crypto.randomUUID()])
      expect(wire.cursor.read(cursor)).toBe(cursor)
    }
  })
})

describe('pages', () => {
  test('contain every row once, in order, for any limit', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(), { maxLength: 50 }),
        fc.integer({ min: 1, max: 20 }),
        (values, limit) => {
          const all = values.toSorted((value, other) => value - other)
          const seen: number[] = []
          let cursor: string | null = null
          do {
            const query = cursor === null ? { limit } : { limit, cursor }
            const page = parsePage('list', query, ['number'])
            const from = page.after === null ? -1 : Number(page.after[0])
            const candidates = all.filter((value) => value > from).slice(0, limit + 1)
            const { rows, nextCursor } = paginate(candidates, page, (row) => [row])
            seen.push(...rows)
            cursor = nextCursor
          } while (cursor !== null)
          expect(seen).toEqual(all)
        },
      ),
    )
  })
})
