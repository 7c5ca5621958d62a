import { type SqlDialect, STANDARD_SQL } from './sql-dialect.ts'
import {
  decodeJavaText,
  decodeUnicodeText,
  decodeUnistr,
  type EscapeStyle,
  INCOMPLETE,
  type Read,
  readQuoted,
} from './sql-texts.ts'

/** A value of an SQL dump, as text. */
export type SqlValue = string | null

/** A text that is not the value of an INSERT. */
export class SqlSyntaxError extends Error {}

/** Characters after which the text must have continued for a value to be complete. */
const WORD = /[-+\w.]+/y
const SPACE = /\s*/y
const CAST = /::[\w ]+(?:\(\d+\))?/y
const UESCAPE = /\s*UESCAPE\s*'([^'])'/iy
/** As much of the text as `UESCAPE 'x'` takes, with a line break before it. */
const UESCAPE_CHARACTERS = 16
/** The type before a quoted time. */
const TIME_TYPE = /(?:TIMESTAMP|DATE|TIME)(?:\s+WITH(?:OUT)?\s+TIME\s+ZONE)?\s*(?=')/iy
const INCOMPLETE_TIME_TYPE = /^(?:TIMESTAMP|DATE|TIME)[\sA-Z]*$/i

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

const skipSpace = (text: string, at: number): number => at + match(SPACE, text, at).length

const isQuote = (character: string | undefined): boolean => character === "'" || character === '"'

const decodeHex = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')

const syntaxError = (text: string, at: number, what: string): SqlSyntaxError =>
  new SqlSyntaxError(`"${text.slice(at, at + 20).split('\n')[0]}" ${what}`)

function readValue(text: string, at: number, dialect: SqlDialect): Read<SqlValue> | typeof INCOMPLETE {
  const character = text[at]
  if (character === undefined) return INCOMPLETE
  const style: EscapeStyle = dialect.hasBackslashEscapes ? 'mysql' : null
  if (isQuote(character)) return readQuoted(text, at, style)
  const word = match(WORD, text, at)
  const end = at + word.length
  if (end >= text.length) return INCOMPLETE
  const lower = word.toLowerCase()
  if (isQuote(text[end])) return readPrefixed(text, lower, end, style)
  if (lower.startsWith('_')) return readPrefixed(text, lower, skipSpace(text, end), style)
  if (lower === 'u' && text[end] === '&') return readUnicodeText(text, end + 1)
  if (text[end] === '(') return readFunction(text, lower, at, end)
  if (lower === 'null') return { value: null, end }
  if (lower === 'true' || lower === 'false') return { value: lower === 'true' ? '1' : '0', end }
  if (/^0x[0-9a-f]*$/.test(lower)) return { value: decodeHex(lower.slice(2)), end }
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/.test(lower)) return { value: word, end }
  const type = match(TIME_TYPE, text, at)
  if (type !== '') return readQuoted(text, at + type.length, style)
  if (INCOMPLETE_TIME_TYPE.test(text.slice(at))) return INCOMPLETE
  throw syntaxError(text, at, 'is not a value')
}

/** Reads a quoted text after its prefix: a character set, or how it is written. */
function readPrefixed(
  text: string,
  prefix: string,
  at: number,
  style: EscapeStyle,
): Read<SqlValue> | typeof INCOMPLETE {
  if (text[at] === undefined) return INCOMPLETE
  if (!isQuote(text[at])) throw new SqlSyntaxError(`"${prefix}" is not a value`)
  const quoted = readQuoted(text, at, prefix === 'e' ? 'extended' : style)
  if (quoted === INCOMPLETE) return INCOMPLETE
  const { value, end } = quoted
  if (prefix === 'x') return { value: decodeHex(value), end }
  if (prefix === 'b') return { value: String(Number.parseInt(value || '0', 2)), end }
  return { value, end }
}

/** Reads the text after `U&`, and the `UESCAPE` after it. */
function readUnicodeText(text: string, at: number): Read<SqlValue> | typeof INCOMPLETE {
  if (text[at] === undefined) return INCOMPLETE
  if (!isQuote(text[at])) throw syntaxError(text, at, 'is not a value')
  const quoted = readQuoted(text, at, null)
  if (quoted === INCOMPLETE) return INCOMPLETE
  const { value, end } = quoted
  const isFollowed = /^\s*(?:U|$)/i.test(text.slice(end, end + UESCAPE_CHARACTERS))
  if (isFollowed && text.length < end + UESCAPE_CHARACTERS) return INCOMPLETE
  UESCAPE.lastIndex = end
  const clause = UESCAPE.exec(text)
  return clause
    ? { value: decodeUnicodeText(value, clause[1] ?? ''), end: end + clause[0].length }
    : { value: decodeUnicodeText(value, '\\'), end }
}

type Call = (args: readonly string[]) => string

/** Functions that dumps of H2 and SQLite write around texts that a plain quoted text cannot contain there. */
const FUNCTIONS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['stringdecode', ([text = '']) => decodeJavaText(text)],
  ['unistr', ([text = '']) => decodeUnistr(text)],
  ['replace', ([text = '', from = '', to = '']) => (from === '' ? text : text.replaceAll(from, () => to))],
  ['char', (codes) => String.fromCodePoint(...codes.map(toCodePoint))],
])

function toCodePoint(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new SqlSyntaxError(`"${text.slice(0, 20)}" is not a character`)
  return Number(text)
}

/** Reads `name(value, …)`. The arguments are standard SQL. @param end the position of the parenthesis */
function readFunction(
  text: string,
  name: string,
  at: number,
  end: number,
): Read<SqlValue> | typeof INCOMPLETE {
  const call = FUNCTIONS.get(name)
  if (!call) throw syntaxError(text, at, 'is not a value')
  const args = readTuple(text, end, STANDARD_SQL)
  if (args === INCOMPLETE) return INCOMPLETE
  if (args.value.includes(null)) return { value: null, end: args.end }
  return { value: call(args.value.map(String)), end: args.end }
}

/** Reads `(value, …)`. @param at the position of the parenthesis @throws SqlSyntaxError */
export function readTuple(
  text: string,
  at: number,
  dialect: SqlDialect,
): Read<SqlValue[]> | typeof INCOMPLETE {
  const values: SqlValue[] = []
  for (let position = at + 1; ; ) {
    const read = readValue(text, skipSpace(text, position), dialect)
    if (read === INCOMPLETE) return INCOMPLETE
    values.push(read.value)
    position = skipSpace(text, read.end + match(CAST, text, read.end).length)
    const separator = text[position]
    if (separator === undefined) return INCOMPLETE
    if (separator === ')') return { value: values, end: position + 1 }
    if (separator !== ',') throw syntaxError(text, position, 'follows a value')
    position += 1
  }
}
