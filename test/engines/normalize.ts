/**
 * Random values: cursors, hashes, ids, API keys, appeal codes, tokens of sessions and invitations, pseudonyms, encrypted secrets, and the
 * part of an entity tag that is a hash of a query with such values.
 */
const RANDOM_VALUE = RegExp(
  [
    '(?<![\\w-])WyJ[\\w-]+',
    '\\b[0-9a-f]{64}\\b',
    '\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b',
    '\\brve_[0-9A-Za-z]{49}\\b',
    // Appeal codes.
    '\\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\\b',
    '(?<![\\w-])[\\w-]{43}(?![\\w-])',
    // Pseudonyms and hashes of erased players.
    '\\b(?:pseudonym:)?[0-9a-f]{40}\\b',
    // Encrypted secrets.
    '\\bv1\\.[\\w-]{43,}',
    '(?<=W/"\\d+-\\d*-)[0-9a-z]+(?=")',
  ].join('|'),
  'g',
)
/** Fields with random or derived values too short to recognize, also in JSON nested in a JSON string or in CSV. */
const SHORT_RANDOM_FIELD =
  /(hint|salt|tag|appeal_code|sizeBytes|size_bytes|archive_bytes|storageBytes)(\\*"+):(?:\\*"+[\w-]*\\*"+|\d+)/g
/** The storage of compressed archives, whose size depends on the random values in them, and the total that includes it. */
const ARCHIVE_STORAGE = /("storage":\{"bytes":|"archives":)"\d+"/g
const PLACEHOLDER = /<value \d+>/g

const replaceShortFields = (text: string): string =>
  text.replace(SHORT_RANDOM_FIELD, '$1$2:"<value>"').replace(ARCHIVE_STORAGE, '$1"<value>"')

/**
 * Replaces random values with placeholders in the order in which they appear: `<value 1>`, `<value 2>`. Two instances that
 * behave alike then return the same text.
 */
export function createNormalizer() {
  const placeholders = new Map<string, string>()
  const values = new Map<string, string>()

  function toPlaceholder(value: string): string {
    const existing = placeholders.get(value)
    if (existing !== undefined) return existing
    const placeholder = `<value ${placeholders.size + 1}>`
    placeholders.set(value, placeholder)
    values.set(placeholder, value)
    return placeholder
  }

  return {
    /** Replaces random values, and remembers new ones. */
    normalize: (text: string): string => replaceShortFields(text).replace(RANDOM_VALUE, toPlaceholder),
    /** Replaces random values that responses contained; the others become `<unknown>`. */
    normalizeKnown: (text: string): string =>
      replaceShortFields(text).replace(RANDOM_VALUE, (value) => placeholders.get(value) ?? '<unknown>'),
    /** Replaces placeholders with the values of this instance. */
    restore: (text: string): string =>
      text.replace(PLACEHOLDER, (placeholder) => values.get(placeholder) ?? placeholder),
  }
}
