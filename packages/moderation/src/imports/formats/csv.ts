import { Scanner } from './scanner.ts'

/** A row of a CSV file, without the header. */
export interface CsvRow {
  readonly line: number
  /** The cells by the header of their column; absent for cells that the row does not have. */
  readonly cells: Readonly<Record<string, string>>
}

interface CsvProblem {
  readonly line: number
  readonly problem: string
}

/** The longest row, in characters. */
const MAX_ROW = 1024 * 1024

const SEPARATORS = [',', ';', '\t'] as const

/** Reads a CSV file as spreadsheets and databases write it: RFC 4180, with commas, semicolons or tabs. */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<CsvRow | CsvProblem> {
  const scanner = new Scanner(text)
  await scanner.skipWhitespace()
  const separator = await detectSeparator(scanner)
  let header: readonly string[] | null = null
  while ((await scanner.peek()) !== '') {
    const { line } = scanner
    const row = await readRow(scanner, separator)
    if (row === null) {
      yield { line, problem: 'a quoted text of this row has no end' }
      // A quote too many must not hide the rest of the file.
      await skipLine(scanner)
      continue
    }
    if (row.length === 1 && row[0] === '') continue
    if (header === null) {
      header = row.map((name) => name.trim())
      continue
    }
    if (row.length > header.length) {
      yield { line, problem: `the row has ${row.length} cells, but the header has ${header.length}` }
      continue
    }
    const cells: Record<string, string> = {}
    for (const [index, name] of header.entries()) {
      const cell = row[index]
      if (cell !== undefined) cells[name] = cell
    }
    yield { line, cells }
  }
}

/** The separator that the header contains most often. */
async function detectSeparator(scanner: Scanner): Promise<string> {
  while (!scanner.text.includes('\n', scanner.position) && scanner.remaining < MAX_ROW)
    if (!(await scanner.fill())) break
  const [header = ''] = scanner.text.slice(scanner.position).split('\n', 1)
  const counts = SEPARATORS.map((separator) => header.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** @returns null if a quoted text has no end */
async function readRow(scanner: Scanner, separator: string): Promise<string[] | null> {
  for (;;) {
    const row = parseRow(scanner, separator)
    if (row !== null) {
      scanner.advanceTo(row.end)
      return row.cells
    }
    // At the end of the file, a row that ends without a line break is complete: it is parsed once more.
    if (scanner.remaining > MAX_ROW || scanner.isComplete) return null
    await scanner.fill()
  }
}

/** @returns null if the row has not arrived completely */
function parseRow({ text, position, isComplete }: Scanner, separator: string) {
  const cells: string[] = []
  for (let at = position; ; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; ; ) {
        const quote = text.indexOf('"', at)
        if (quote === -1 || (quote + 1 >= text.length && !isComplete)) return null
        cell += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
        at += 1
      }
    }
    const start = at
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1
    if (at >= text.length && !isComplete) return null
    cells.push(cell + text.slice(start, at).replace(/\r$/, ''))
    if (at >= text.length) return { cells, end: at }
    at += 1
    if (text[at - 1] === '\n') return { cells, end: at }
  }
}

async function skipLine(scanner: Scanner): Promise<void> {
  for (;;) {
    const end = scanner.text.indexOf('\n', scanner.position)
    if (end !== -1) return scanner.advanceTo(end + 1)
    scanner.advanceTo(scanner.text.length)
    if (!(await scanner.fill())) return
  }
}
