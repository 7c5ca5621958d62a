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
] as const

/** Control characters: no other word contains one. */
const codes = new Map<string, string>(WORDS.map((word, index) => [word, String.fromCharCode(index + 1)]))
const words = new Map<string, string>([...codes].map(([word, code]) => [code, word]))

/** The text that stores a word. */
export const encodeWord = (word: string): string => codes.get(word) ?? word

/** The reverse of `encodeWord`. */
export const decodeWord = (stored: string): string => words.get(stored) ?? stored
