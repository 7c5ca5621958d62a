/** What an instance makes at random: cursors, hashes, ids, API keys, and tokens of sessions and invitations. */
const MADE = RegExp(
  [
    '(?<![\\w-])WyJ[\\w-]+',
    '\\b[0-9a-f]{64}\\b',
    '\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b',
    '\\brve_[0-9A-Za-z]{49}\\b',
    '(?<![\\w-])[\\w-]{43}(?![\\w-])',
  ].join('|'),
  'g',
)
/** What is made of these, or at random too, and is too short to be told apart; also in a JSON text within another. */
const SHORT = /(hint|salt|sizeBytes|size_bytes)(\\*"):(?:\\*"[\w-]*\\*"|\d+)/g
const STANDS_FOR = /<made \d+>/g

const withoutShort = (text: string): string => text.replace(SHORT, '$1$2:"<made>"')

/**
 * Puts the same words in the place of what no two instances share: the first thing an instance makes is `<made 1>`, the
 * second `<made 2>`. Two instances that answer alike then answer the same text, for as long as they do.
 */
export function leveling() {
  const words = new Map<string, string>()
  const made = new Map<string, string>()

  function wordOf(value: string): string {
    const known = words.get(value)
    if (known !== undefined) return known
    const word = `<made ${words.size + 1}>`
    words.set(value, word)
    made.set(word, value)
    return word
  }

  return {
    /** A text of the instance, leveled. */
    level: (text: string): string => withoutShort(text).replace(MADE, wordOf),
    /** A text that the instance never showed, leveled as far as it tells of what it did show. */
    levelKnown: (text: string): string =>
      withoutShort(text).replace(MADE, (value) => words.get(value) ?? '<never shown>'),
    /** A leveled text, as the instance would say it. */
    fill: (text: string): string => text.replace(STANDS_FOR, (word) => made.get(word) ?? word),
  }
}
