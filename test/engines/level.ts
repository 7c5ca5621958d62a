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
/** What is made of these, and too short to be told apart. */
const MADE_OF_THEM = /"(hint|sizeBytes)":"[^"]*"/g
const STANDS_FOR = /<made \d+>/g

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
    level: (text: string): string => text.replace(MADE_OF_THEM, '"$1":"<made>"').replace(MADE, wordOf),
    /** All of a text that is made at random as a whole, such as an entity tag. */
    levelWhole: wordOf,
    /** A leveled text, as the instance would say it. */
    fill: (text: string): string => text.replace(STANDS_FOR, (word) => made.get(word) ?? word),
  }
}
