import { wire } from '@reeve/core'

const usernameText = wire.text({ min: 1, max: 50, example: 'robin' })

/** The recommended scripts of UAX 31, table 5. */
const SCRIPTS = [
  ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Devanagari', 'Ethiopic'],
  ...['Georgian', 'Gujarati', 'Gurmukhi', 'Hangul', 'Han', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana'],
  ...[
    'Khmer',
    'Lao',
    'Malayalam',
    'Myanmar',
    'Oriya',
    'Sinhala',
    'Tamil',
    'Telugu',
    'Thaana',
    'Thai',
    'Tibetan',
  ],
]

/** Scripts that one language uses together, with Latin: Japanese, Korean and Chinese. UTS 39 calls this level highly restrictive. */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/** Texts in these scripts only. Digits, punctuation and emoji are common to all scripts. */
const toPattern = (scripts: readonly string[]): RegExp =>
  new RegExp(
    `^[\\p{scx=Common}\\p{scx=Inherited}${scripts.map((script) => `\\p{scx=${script}}`).join('')}]*$`,
    'u',
  )

const patterns = [...SCRIPTS.map((script) => [script]), ...COMBINATIONS].map(toPattern)

/**
 * A username to set. Invisible characters and a mix of scripts are refused, because two such names can look the same: `robin` with a
 * Cyrillic `о` is not `robin`.
 */
export const username: wire.Codec<string> = {
  ...usernameText,
  read(text) {
    const name = usernameText.read(text)
    const compatible = name.normalize('NFKC')
    if (/[\p{C}\p{Zl}\p{Zp}]|\p{Zs}{2}/u.test(compatible))
      throw new wire.WireError('must not contain invisible characters or several spaces in a row')
    if (!patterns.some((pattern) => pattern.test(compatible)))
      throw new wire.WireError('must not mix letters of different scripts, such as Latin and Cyrillic')
    return name
  },
}

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu

/**
 * The skeleton of a username: names that look the same have the same one, whatever their case (UTS 39, section 4).
 * @returns a text that is only compared, never shown
 */
export async function toUsernameSkeleton(name: string): Promise<string> {
  // The table of confusable characters is large, and few requests need it.
  const { default: replaceConfusables } = await import('unhomoglyph')
  const toSkeleton = (text: string) =>
    replaceConfusables(text.normalize('NFD').replace(IGNORED, '')).normalize('NFD')
  // Before and after lowering the case: `I` and `l` look the same, and so do `O` and `0`.
  return toSkeleton(toSkeleton(name.normalize('NFKC')).toLowerCase())
}
