import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { wire } from '../src/index.ts'
import { anyText, mutated } from './arbitraries.ts'

export const RUNS = { numRuns: 2000 }

/** The parsed value, or null if the codec rejects the text. It must throw a `WireError` that describes what it accepts. */
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
 * Tests the guarantees of every codec: a formatted value parses back to itself; a text is accepted exactly if `accepts`,
 * an independent implementation, accepts it; and a parsed value survives another round trip.
 */
export function testCodec<T>(
  codec: wire.Codec<T>,
  values: fc.Arbitrary<T>,
  accepts: (text: string) => boolean,
  texts: fc.Arbitrary<string> = values.map(codec.write),
): void {
  test('a formatted value parses back to itself', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(codec.read(codec.write(value))).toEqual(value)
      }),
      RUNS,
    )
  })
  test('nothing else is accepted, and an accepted value has one formatted form', () => {
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
