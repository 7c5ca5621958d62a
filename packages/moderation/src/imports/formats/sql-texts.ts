/** The text ends within a value. */
export const INCOMPLETE = Symbol('incomplete')

export interface Read<Value> {
  readonly value: Value
  /** The position after it. */
  readonly end: number
}

/** What stands for a character after a backslash. */
const ESCAPES: Readonly<Record<string, string>> = {
  0: '\0',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const MYSQL_ESCAPES: typeof ESCAPES = { ...ESCAPES, f: 'f', Z: '\u001a' }

/** `mysql` reads the escapes of MySQL, `extended` those of `E'…'` in PostgreSQL; null leaves backslashes as they are. */
export type EscapeStyle = 'mysql' | 'extended' | null

const SPECIAL = { "'": /['\\]/g, '"': /["\\]/g } as const
const QUOTE = { "'": /'/g, '"': /"/g } as const

/** Reads a quoted text, in which two quotes are one. @param at the position of the quote */
export function readQuoted(text: string, at: number, style: EscapeStyle): Read<string> | typeof INCOMPLETE {
  const quote = text[at] as keyof typeof QUOTE
  const special = style === null ? QUOTE[quote] : SPECIAL[quote]
  let value = ''
  for (let start = at + 1; ; ) {
    special.lastIndex = start
    const found = special.exec(text)
    if (!found) return INCOMPLETE
    value += text.slice(start, found.index)
    const next = text[found.index + 1]
    // Whether a quote ends the text is known with the character after it.
    if (next === undefined) return INCOMPLETE
    start = found.index + 2
    if (found[0] === '\\') {
      const unicode = style === 'extended' ? readUnicode(text, start - 1) : null
      if (unicode === INCOMPLETE) return INCOMPLETE
      value += unicode?.value ?? (style === 'mysql' ? MYSQL_ESCAPES : ESCAPES)[next] ?? next
      start = unicode?.end ?? start
    } else if (next === quote) value += quote
    else return { value, end: start - 1 }
  }
}

/** The longest escape of PostgreSQL after its backslash: `U0001F600`. */
const LONGEST_ESCAPE = 9
const UNICODE = /u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y

/** Reads `uXXXX` or `UXXXXXXXX`. @returns null if it is another escape */
function readUnicode(text: string, at: number): Read<string> | typeof INCOMPLETE | null {
  if (!/[uU]/.test(text[at] ?? '')) return null
  if (text.length < at + LONGEST_ESCAPE) return INCOMPLETE
  UNICODE.lastIndex = at
  const found = UNICODE.exec(text)
  const hex = found?.[1] ?? found?.[2]
  return hex === undefined ? null : { value: toCharacter(hex), end: UNICODE.lastIndex }
}

const MAX_CODE_POINT = 0x10ffff

/** Surrogates that belong together become one character when they are next to each other. */
function toCharacter(hex: string): string {
  const code = Number.parseInt(hex, 16)
  return code > MAX_CODE_POINT ? '\ufffd' : String.fromCodePoint(code)
}

/** Decodes `U&'…'` of H2 and PostgreSQL. @param mark the character before a number, a backslash unless the dump says another one */
export function decodeUnicodeText(value: string, mark: string): string {
  const quoted = RegExp.escape(mark)
  const pattern = new RegExp(`${quoted}(?:(${quoted})|\\+([0-9a-f]{6})|([0-9a-f]{4}))`, 'gi')
  return value.replace(pattern, (_, same, long, short) => same ?? toCharacter(long ?? short))
}

/** Decodes the text of `unistr('…')` of SQLite. */
export const decodeUnistr = (value: string): string =>
  value.replace(
    /\\(?:(\\)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\+([0-9a-fA-F]{6})|([0-9a-fA-F]{4}))/g,
    (_, same, ...hex) => same ?? toCharacter(hex.find((one) => typeof one === 'string') ?? ''),
  )

/** Decodes the text of `STRINGDECODE('…')` of H2, which has the escapes of Java. */
export const decodeJavaText = (value: string): string =>
  value.replace(/\\(?:u([0-9a-fA-F]{4})|([0-7]{3})|(.))/gs, (_, hex, octal, character) =>
    hex !== undefined
      ? toCharacter(hex)
      : octal !== undefined
        ? String.fromCodePoint(Number.parseInt(octal, 8))
        : (ESCAPES[character] ?? character),
  )
