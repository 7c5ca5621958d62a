import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { wire } from '../src/index.ts'
import { anyText, mutated } from './arbitraries.ts'

export const RUNS = { numRuns: 2000 }

/** What a codec reads, or null where it refuses, which it must do by a `WireError` that says what it wants. */
export function readOrNull<T>(codec: wire.Codec<T>, text: string): { value: T } | null {
  try {
    return { value: codec.read(text) }
  } catch (error) {
    expect(error).toBeInstanceOf(wire.WireError)
    expect((error as Error).message).toMatch(/^(must|names) /)
    return null
  }
}

/**
 * The guarantees of every codec: what is written is read back as it was; of all other texts exactly those are accepted
 * that `accepts` (told apart from the codec) accepts; and what is read is written in a form that is read the same.
 */
export function testCodec<T>(
  codec: wire.Codec<T>,
  values: fc.Arbitrary<T>,
  accepts: (text: string) => boolean,
  texts: fc.Arbitrary<string> = values.map(codec.write),
): void {
  test('what is written is read back', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(codec.read(codec.write(value))).toEqual(value)
      }),
      RUNS,
    )
  })
  test('nothing else is accepted, and what is accepted is written in one form', () => {
    fc.assert(
      fc.property(fc.oneof(mutated(texts), texts, anyText), (text) => {
        const read = readOrNull(codec, text)
        expect({ text, accepted: read !== null }).toEqual({ text, accepted: accepts(text) })
        if (read) expect(codec.read(codec.write(read.value))).toEqual(read.value)
      }),
      RUNS,
    )
  })
  test('its example is accepted', () => expect(readOrNull(codec, codec.example)).not.toBeNull())
}
