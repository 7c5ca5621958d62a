/** What an instance makes at random: cursors, hashes, ids, API keys, and tokens of sessions and invitations. */
const RANDOM_VALUE = RegExp(
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
const SHORT_RANDOM_FIELD = /(hint|salt|sizeBytes|size_bytes)(\\*"):(?:\\*"[\w-]*\\*"|\d+)/g
const PLACEHOLDER = /<made \d+>/g

const replaceShortFields = (text: string): string => text.replace(SHORT_RANDOM_FIELD, '$1$2:"<made>"')

/**
 * Puts the same words in the place of what no two instances share: the first thing an instance makes is `<made 1>`, the
 * second `<made 2>`. Two instances that answer alike then answer the same text, for as long as they do.
 */
export function createNormalizer() {
  const placeholders = new Map<string, string>()
  const values = new Map<string, string>()

  function toPlaceholder(value: string): string {
    const existing = placeholders.get(value)
    if (existing !== undefined) return existing
    const placeholder = `<made ${placeholders.size + 1}>`
    placeholders.set(value, placeholder)
    values.set(placeholder, value)
    return placeholder
  }

  return {
    /** A text of the instance, leveled. */
    normalize: (text: string): string => replaceShortFields(text).replace(RANDOM_VALUE, toPlaceholder),
    /** A text that the instance never showed, leveled as far as it tells of what it did show. */
    normalizeKnown: (text: string): string =>
      replaceShortFields(text).replace(RANDOM_VALUE, (value) => placeholders.get(value) ?? '<never shown>'),
    /** A leveled text, as the instance would say it. */
    restore: (text: string): string =>
      text.replace(PLACEHOLDER, (placeholder) => values.get(placeholder) ?? placeholder),
  }
}
