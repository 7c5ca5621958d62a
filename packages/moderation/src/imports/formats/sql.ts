import { Scanner } from './scanner.ts'
import { createDialectDetector, EXAMINED_CHARACTERS, type SqlDialect } from './sql-dialect.ts'
import { INCOMPLETE } from './sql-texts.ts'
import { readTuple, SqlSyntaxError, type SqlValue } from './sql-values.ts'

/** A row of an SQL dump, by the names of its columns in lower case. */
export interface SqlRow {
  readonly line: number
  /** The name of the table, without that of its database. */
  readonly table: string
  readonly row: Readonly<Record<string, SqlValue>>
}

interface SqlProblem {
  readonly line: number
  readonly problem: string
}

/** The longest row, and the longest beginning of a statement, in characters. */
const MAX_ROW = 1024 * 1024

const NAME = String.raw`(?:[\`"\[]?[\w$]+[\`"\]]?\s*\.\s*)?[\`"\[]?([\w$]+)[\`"\]]?`
const INSERT = new RegExp(
  String.raw`(?:INSERT|REPLACE)(?:\s+(?:IGNORE|LOW_PRIORITY|DELAYED|OR\s+\w+))*\s+INTO\s+${NAME}\s*(?:\(([^()]*)\)\s*)?(?:OVERRIDING\s+\w+\s+VALUE\s+)?VALUES\s*`,
  'iy',
)
const CREATE = new RegExp(
  String.raw`CREATE\s+(?:CACHED\s+|MEMORY\s+|TEMPORARY\s+)*TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?${NAME}\s*\(`,
  'iy',
)
const STARTS_STATEMENT = /(?:INSERT|REPLACE|CREATE|COPY)\b/iy
/** Definitions in a CREATE TABLE that are not columns. */
const NOT_A_COLUMN = /^(?:primary|unique|key|index|constraint|fulltext|spatial|foreign|check)\b/i
/** Where reading continues after a row that cannot be read. */
const NEXT_ROW = /\n\s*(?:\(|(?:INSERT|REPLACE|CREATE)\b)/gi

const unquote = (name: string): string =>
  name
    .trim()
    .replace(/^[`"[]|[`"\]]$/g, '')
    .toLowerCase()

/**
 * Reads the rows of an SQL dump: those of INSERT statements, with the columns that the statement names, or else the order of the CREATE TABLE.
 * It executes nothing and ignores all other statements.
 */
export async function* readSql(text: AsyncIterable<string>): AsyncGenerator<SqlRow | SqlProblem> {
  const scanner = new Scanner(text)
  const columnsByTable = new Map<string, readonly string[]>()
  const dialect = createDialectDetector()
  const examineNext = async () => {
    await hasAtLeast(scanner, EXAMINED_CHARACTERS)
    dialect.examine(scanner.text.slice(scanner.position, scanner.position + EXAMINED_CHARACTERS))
  }
  for (;;) {
    await skipComments(scanner, examineNext)
    if ((await scanner.peek()) === '') return
    await examineNext()
    if (!matches(STARTS_STATEMENT, scanner)) {
      await skipStatement(scanner, dialect)
      continue
    }
    const { line } = scanner
    const insert = await matchHead(scanner, INSERT)
    if (insert) {
      const [head, name = '', listed] = insert
      scanner.advanceTo(scanner.position + head.length)
      const table = name.toLowerCase()
      const columns = listed === undefined ? columnsByTable.get(table) : listed.split(',').map(unquote)
      if (columns) yield* readRows(scanner, table, columns, dialect)
      else {
        yield {
          line,
          problem: `the columns of table ${table} are unknown: the dump has no CREATE TABLE before it`,
        }
        await skipStatement(scanner, dialect)
      }
      continue
    }
    const create = await matchHead(scanner, CREATE)
    if (create)
      columnsByTable.set((create[1] ?? '').toLowerCase(), await readColumns(scanner, create[0].length))
    else if (/^COPY/i.test(scanner.text.slice(scanner.position, scanner.position + 4)))
      yield { line, problem: 'COPY is not supported: create the dump with pg_dump --inserts' }
    await skipStatement(scanner, dialect)
  }
}

function matches(pattern: RegExp, { text, position }: Scanner): boolean {
  pattern.lastIndex = position
  return pattern.test(text)
}

/** Waits until so many characters have arrived. @returns false if the file ends before */
async function hasAtLeast(scanner: Scanner, length: number): Promise<boolean> {
  while (scanner.remaining < length) if (!(await scanner.fill())) return false
  return true
}

/** Matches the beginning of a statement, which may not have arrived completely. */
async function matchHead(scanner: Scanner, pattern: RegExp): Promise<RegExpExecArray | null> {
  for (;;) {
    pattern.lastIndex = scanner.position
    const found = pattern.exec(scanner.text)
    // The text after it could belong to it.
    if (found && pattern.lastIndex < scanner.text.length) return found
    const isOver = scanner.remaining > MAX_ROW || scanner.text.indexOf(';', scanner.position) !== -1
    if (isOver || !(await scanner.fill())) return found
  }
}

async function* readRows(
  scanner: Scanner,
  table: string,
  columns: readonly string[],
  dialect: SqlDialect,
): AsyncGenerator<SqlRow | SqlProblem> {
  for (;;) {
    await skipComments(scanner)
    const separator = await scanner.peek()
    if (separator === '' || separator === ';') return scanner.advanceTo(scanner.position + separator.length)
    if (separator === ',') {
      scanner.advanceTo(scanner.position + 1)
      continue
    }
    const { line } = scanner
    if (separator !== '(') {
      // The clause after the rows, such as ON DUPLICATE KEY UPDATE.
      return skipStatement(scanner, dialect)
    }
    let problem: string | null = null
    try {
      const tuple = await readNextTuple(scanner, dialect)
      if (tuple === null) problem = 'the file ends within a row, or a text in the row has no closing quote'
      else {
        scanner.advanceTo(tuple.end)
        const { value: values } = tuple
        if (values.length === columns.length) {
          const row = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
          yield { line, table, row }
          continue
        }
        yield {
          line,
          problem: `the row of ${table} has ${values.length} values for ${columns.length} columns`,
        }
        continue
      }
    } catch (error) {
      if (!(error instanceof SqlSyntaxError)) throw error
      problem = `the row of ${table} cannot be read: ${error.message}`
    }
    yield { line, problem }
    if (!(await skipToNextRow(scanner))) return
    if ((await scanner.peek()) !== '(') return
  }
}

async function readNextTuple(scanner: Scanner, dialect: SqlDialect) {
  for (;;) {
    const tuple = readTuple(scanner.text, scanner.position, dialect)
    if (tuple !== INCOMPLETE) return tuple
    if (scanner.remaining > MAX_ROW || !(await scanner.fill())) return null
  }
}

/** @returns false at the end of the file */
async function skipToNextRow(scanner: Scanner): Promise<boolean> {
  scanner.advanceTo(scanner.position + 1)
  for (;;) {
    NEXT_ROW.lastIndex = scanner.position
    const found = NEXT_ROW.exec(scanner.text)
    if (found) {
      scanner.advanceTo(found.index)
      await scanner.skipWhitespace()
      return true
    }
    // The last characters can be the beginning of a row.
    scanner.advanceTo(Math.max(scanner.position, scanner.text.lastIndexOf('\n')))
    if (!(await scanner.fill())) {
      scanner.advanceTo(scanner.text.length)
      return false
    }
  }
}

/** The names of the columns in a CREATE TABLE. @param headLength up to its parenthesis */
async function readColumns(scanner: Scanner, headLength: number): Promise<string[]> {
  for (;;) {
    const body = splitDefinitions(scanner.text, scanner.position + headLength)
    if (body || scanner.remaining > MAX_ROW || !(await scanner.fill()))
      return (body ?? [])
        .map((definition) => definition.trim())
        .filter((definition) => definition !== '' && !NOT_A_COLUMN.test(definition))
        .map((definition) => unquote(/^(?:[`"[][^`"\]]+[`"\]]|[^\s]+)/.exec(definition)?.[0] ?? ''))
  }
}

/** Splits what is in parentheses at its commas. @returns null if the closing one has not arrived */
function splitDefinitions(text: string, start: number): string[] | null {
  const parts: string[] = []
  let depth = 0
  let partStart = start
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === "'") {
      const end = text.indexOf("'", at + 1)
      if (end === -1) return null
      at = end
    } else if (character === '(') depth += 1
    else if ((character === ',' || character === ')') && depth === 0) {
      parts.push(text.slice(partStart, at))
      if (character === ')') return parts
      partStart = at + 1
    } else if (character === ')') depth -= 1
  }
  return null
}

/** Skips whitespace and comments. @param examine called at the beginning of each comment */
async function skipComments(scanner: Scanner, examine?: () => Promise<void>): Promise<void> {
  for (;;) {
    await scanner.skipWhitespace()
    await hasAtLeast(scanner, 2)
    const start = scanner.text.slice(scanner.position, scanner.position + 2)
    const end = start === '--' || start.startsWith('#') ? '\n' : start === '/*' ? '*/' : null
    if (end === null) return
    await examine?.()
    await skipPast(scanner, end)
  }
}

async function skipPast(scanner: Scanner, end: string): Promise<void> {
  for (;;) {
    const found = scanner.text.indexOf(end, scanner.position)
    if (found !== -1) return scanner.advanceTo(found + end.length)
    scanner.advanceTo(Math.max(scanner.position, scanner.text.length - end.length + 1))
    if (!(await scanner.fill())) return scanner.advanceTo(scanner.text.length)
  }
}

const QUOTE_OR_END = /['"`;\\]/g

/** Skips a statement to its semicolon, which can be in quotes before. */
async function skipStatement(scanner: Scanner, { hasBackslashEscapes }: SqlDialect): Promise<void> {
  let quote: string | null = null
  /** Characters of the next piece that belong to an escape. */
  let escaped = 0
  for (;;) {
    const { text } = scanner
    let at = scanner.position + escaped
    escaped = 0
    for (;;) {
      QUOTE_OR_END.lastIndex = at
      const found = QUOTE_OR_END.exec(text)
      if (!found) break
      const character = found[0]
      at = found.index + 1
      if (character === '\\') {
        if (quote === null || !hasBackslashEscapes) continue
        at += 1
        if (at > text.length) escaped = 1
      } else if (quote === null && character === ';') return scanner.advanceTo(at)
      else if (quote === null) quote = character
      else if (quote === character) quote = null
    }
    scanner.advanceTo(text.length)
    if (!(await scanner.fill())) return
  }
}
