import fc from 'fast-check'

/** Texts that differ from one of these by a character or two: what a mistake would send. */
export const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.array(fc.tuple(fc.nat(), character, fc.constantFrom('put', 'cut', 'swap')), { maxLength: 3 }),
    )
    .map(([text, changes]) =>
      changes.reduce((result, [offset, inserted, operation]) => {
        const index = offset % (result.length + 1)
        if (operation === 'put') return result.slice(0, index) + inserted + result.slice(index)
        if (operation === 'cut') return result.slice(0, index) + result.slice(index + 1)
        return result.slice(0, index) + inserted + result.slice(index + 1)
      }, text),
    )

const character = fc.oneof(
  fc.constantFrom(...'0123456789-+.,:TZ# \n\t\0"[]%/\\'),
  fc.string({ minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.constantFrom('\ud800', '\udfff', '\u2028', '\ufeff', 'e\u0301'),
)

/** Any text at all, lone surrogates included. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(character).map((characters) => characters.join('')),
)
