/**
 * The characters of names: of groups, roles, departments, events, players and so on. A name with an invisible or bidirectional
 * control character can look like another one, or reorder the text around it.
 */

/** Letters of scripts whose spelling needs the zero width joiner and non-joiner, such as Persian and Hindi. */
const JOINED_LETTER =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}' +
  '\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}]'
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?'

/** Where characters that are otherwise invisible belong to the spelling: emoji and their sequences, and some scripts. */
const SPELLED = new RegExp(
  [
    // A family, or a flag of a part of a country.
    `${EMOJI}(?:\\u200D${EMOJI})+`,
    '\\u{1F3F4}[\\u{E0061}-\\u{E007A}]+\\u{E007F}',
    // How a symbol is shown: as an emoji, or as text.
    '[\\p{Emoji}\\p{Extended_Pictographic}][\\uFE0E\\uFE0F]\\u20E3?',
    // The joiner comes first, so that a text of marks is not read again for each of them.
    `[\\u200C\\u200D](?<=${JOINED_LETTER}\\p{M}*.)(?=${JOINED_LETTER})`,
  ].join('|'),
  'gu',
)

/**
 * Format and bidirectional controls, what takes up no space, line separators, blank Braille. Private characters are allowed, because
 * Roblox shows its badges with them, and unassigned ones, because the next version of Unicode assigns them: a game server must be able to
 * ban every player that it meets.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u

/** Whether a text has a character that shows nothing or changes the direction of text, other than where it belongs to the spelling. */
export const hasInvisibleCharacters = (text: string): boolean => INVISIBLE.test(text.replace(SPELLED, ''))

const SPELLED_OR_INVISIBLE = new RegExp(`(${SPELLED.source})|${INVISIBLE.source}`, 'gu')

/** A text without the characters that `hasInvisibleCharacters` finds. */
export function removeInvisibleCharacters(text: string): string {
  let visible = text
  // Again for a joiner beside a character that is removed, such as the Arabic letter mark.
  while (hasInvisibleCharacters(visible)) visible = visible.replace(SPELLED_OR_INVISIBLE, '$1')
  return visible
}

/** A search as it was meant: what is copied from chats and web pages often has an invisible character at its end. */
export const cleanQuery = (text: string): string => removeInvisibleCharacters(text).trim()

/** What is wrong with a name that has such a character. */
export const INVISIBLE_NAME_MESSAGE =
  'must not contain invisible characters or characters that change the direction of text'
