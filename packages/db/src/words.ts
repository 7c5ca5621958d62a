/**
 * Words that most rows of large tables contain, stored as one character. Their positions are stored: add to the end, and never
 * change or remove one. `account` is not one of them, because partial indexes name it.
 */
const WORDS = [
  'api_key',
  'system',
  'record',
  'low',
  'medium',
  'high',
  'critical',
  'moderation.ban',
  'moderation.mute',
  'moderation.kick',
  'moderation.warn',
  'moderation.note',
  'moderation.unban',
  'moderation.unmute',
  'moderation.edit',
  'moderation.comment',
  'moderation.expire',
  'moderation.supersede',
  'moderation.import',
] as const

/** Codes are control characters. Another text that begins with one is stored after this one. */
const FIRST_PRINTABLE = 0x20
const ESCAPE = '\u001f'

const codes = new Map<string, string>(WORDS.map((word, index) => [word, String.fromCharCode(index + 1)]))
const words = new Map<string, string>([...codes].map(([word, code]) => [code, word]))

const beginsWithControlCharacter = (text: string): boolean => text.charCodeAt(0) < FIRST_PRINTABLE

/** The text that stores a word. */
export const encodeWord = (word: string): string =>
  codes.get(word) ?? (beginsWithControlCharacter(word) ? `${ESCAPE}${word}` : word)

/** The reverse of `encodeWord`. */
export const decodeWord = (stored: string): string =>
  beginsWithControlCharacter(stored) ? (words.get(stored) ?? stored.slice(ESCAPE.length)) : stored
