import { yieldToEventLoop } from '@reeve/db'

/** Comma-separated values as RFC 4180 has them, for people who open them in a spreadsheet. */

/** Without it spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\u{feff}'

/** A spreadsheet takes a cell that begins so for a formula: an apostrophe in front makes it text. */
const FORMULA = /^[=+\-@\t\r]/

const NEEDS_QUOTES = /[",\r\n]/

function formatCell(value: string | null): string {
  const text = value === null ? '' : FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line of a file, its end included; null is an empty cell. */
export const formatCsvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map(formatCell).join(',')}\r\n`

export interface CsvPage {
  readonly lines: readonly (readonly (string | null)[])[]
  readonly nextCursor: string | null
}

export interface CsvFile {
  /** What the file is called, before the date: letters and hyphens. */
  readonly name: string
  /** The day it was made: epoch milliseconds. */
  readonly createdAt: number
  readonly header: readonly string[]
  /** Reads a page: the first where the cursor is undefined. */
  readonly readPage: (cursor: string | undefined) => Promise<CsvPage>
}

/**
 * Answers with a file that is written while it is read: one page is in memory at a time, and the next is asked for when
 * the reader has taken it. The first is read before the answer begins, so that what is wrong with a request is still told
 * as any error; where a later one fails the answer breaks off, so that half a file is never taken for a whole one.
 */
export async function createCsvResponse({ name, createdAt, header, readPage }: CsvFile): Promise<Response> {
  const utf8 = new TextEncoder()
  const firstPage = await readPage(undefined)
  let text = BYTE_ORDER_MARK + formatCsvLine(header) + formatLines(firstPage)
  let cursor = firstPage.nextCursor
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A page of a search may be empty and still not the last.
        while (text === '' && cursor !== null) {
          await yieldToEventLoop()
          const nextPage = await readPage(cursor)
          text = formatLines(nextPage)
          cursor = nextPage.nextCursor
        }
        if (text !== '') controller.enqueue(utf8.encode(text))
        text = ''
        if (cursor === null) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const day = new Date(createdAt).toISOString().slice(0, 10)
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}-${day}.csv"`,
      'x-content-type-options': 'nosniff',
    },
  })
}

const formatLines = ({ lines }: CsvPage): string => lines.map(formatCsvLine).join('')
