import fc from 'fast-check'

/** Texts with up to three random edits, such as a typo would cause. */
export const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.array(fc.tuple(fc.nat(), character, fc.constantFrom('insert', 'delete', 'replace')), {
        maxLength: 3,
      }),
    )
    .map(([text, changes]) =>
      changes.reduce((result, [offset, inserted, operation]) => {
        const index = offset % (result.length + 1)
        if (operation === 'insert') return result.slice(0, index) + inserted + result.slice(index)
        if (operation === 'delete') return result.slice(0, index) + result.slice(index + 1)
        return result.slice(0, index) + inserted + result.slice(index + 1)
      }, text),
    )

const character = fc.oneof(
  fc.constantFrom(...'0123456789-+.,:TZ# \n\t\0"[]%/\\'),
  fc.string({ minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.constantFrom('\ud800', '\udfff', '\u2028', '\ufeff', 'e\u0301'),
)

/** Any text, including lone surrogates. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(character).map((characters) => characters.join('')),
)
