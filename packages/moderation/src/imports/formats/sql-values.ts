/** A value of an SQL dump, as text. */
export type SqlValue = string | null

/** The text ends within a value. */
export const INCOMPLETE = Symbol('incomplete')

const ESCAPES: Readonly<Record<string, string>> = {
  0: '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
}

/** A text that is not the value of an INSERT. */
export class SqlSyntaxError extends Error {}

interface Read<Value> {
  readonly value: Value
  /** The position after it. */
  readonly end: number
}

/** Characters after which the text must have continued for a value to be complete. */
const WORD = /[-+\w.]+/y
const SPACE = /\s*/y
const CAST = /::[\w ]+(?:\(\d+\))?/y

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

const skipSpace = (text: string, at: number): number => at + match(SPACE, text, at).length

/** Reads a quoted text: `''` and escapes with a backslash as MySQL writes them. */
function readQuoted(text: string, at: number): Read<string> | typeof INCOMPLETE {
  const quote = text[at] ?? ''
  let value = ''
  for (let start = at + 1; ; ) {
    const special = findEither(text, quote, start)
    if (special === -1) return INCOMPLETE
    value += text.slice(start, special)
    const next = text[special + 1]
    if (text[special] === '\\') {
      if (next === undefined) return INCOMPLETE
      value += ESCAPES[next] ?? next
    } else {
      // Whether a quote ends the text is known with the character after it.
      if (next === undefined) return INCOMPLETE
      if (next !== quote) return { value, end: special + 1 }
      value += quote
    }
    start = special + 2
  }
}

const SPECIAL = { "'": /['\\]/g, '"': /["\\]/g } as const

function findEither(text: string, quote: string, from: number): number {
  const special = SPECIAL[quote as keyof typeof SPECIAL]
  special.lastIndex = from
  return special.exec(text)?.index ?? -1
}

const decodeHex = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')

function readValue(text: string, at: number): Read<SqlValue> | typeof INCOMPLETE {
  const character = text[at]
  if (character === undefined) return INCOMPLETE
  if (character === "'" || character === '"') return readQuoted(text, at)
  const word = match(WORD, text, at)
  const end = at + word.length
  if (end >= text.length) return INCOMPLETE
  const lower = word.toLowerCase()
  if (text[end] === "'" || text[end] === '"') return readPrefixed(text, lower, end)
  if (lower.startsWith('_')) return readPrefixed(text, lower, skipSpace(text, end))
  if (lower === 'null') return { value: null, end }
  if (lower === 'true' || lower === 'false') return { value: lower === 'true' ? '1' : '0', end }
  if (/^0x[0-9a-f]*$/.test(lower)) return { value: decodeHex(lower.slice(2)), end }
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/.test(lower)) return { value: word, end }
  throw new SqlSyntaxError(`"${text.slice(at, at + 20).split('\n')[0]}" is not a value`)
}

/** Reads a quoted text after its prefix: a character set, or how it is written. */
function readPrefixed(text: string, prefix: string, at: number): Read<SqlValue> | typeof INCOMPLETE {
  if (text[at] === undefined) return INCOMPLETE
  if (text[at] !== "'" && text[at] !== '"') throw new SqlSyntaxError(`"${prefix}" is not a value`)
  const quoted = readQuoted(text, at)
  if (quoted === INCOMPLETE) return INCOMPLETE
  const { value, end } = quoted
  if (prefix === 'x') return { value: decodeHex(value), end }
  if (prefix === 'b') return { value: String(Number.parseInt(value || '0', 2)), end }
  return { value, end }
}

/** Reads `(value, …)`. @param at the position of the parenthesis @throws SqlSyntaxError */
export function readTuple(text: string, at: number): Read<SqlValue[]> | typeof INCOMPLETE {
  const values: SqlValue[] = []
  for (let position = at + 1; ; ) {
    const read = readValue(text, skipSpace(text, position))
    if (read === INCOMPLETE) return INCOMPLETE
    values.push(read.value)
    position = skipSpace(text, read.end + match(CAST, text, read.end).length)
    const separator = text[position]
    if (separator === undefined) return INCOMPLETE
    if (separator === ')') return { value: values, end: position + 1 }
    if (separator !== ',') {
      throw new SqlSyntaxError(`"${text.slice(position, position + 20).split('\n')[0]}" follows a value`)
    }
    position += 1
  }
}
