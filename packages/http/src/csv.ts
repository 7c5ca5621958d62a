import { yieldToEventLoop } from '@reeve/db'

/** CSV per RFC 4180, safe to open in a spreadsheet. */

/** Spreadsheets detect UTF-8 by it. */
const BYTE_ORDER_MARK = '\u{feff}'

/**
 * Spreadsheets evaluate a cell that starts with one of these as a formula; a leading apostrophe prevents it. The last four are ＝＋－＠, the
 * full-width forms. Source: OWASP, "CSV Injection".
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

const NEEDS_QUOTES = /[",\r\n]/

function formatCell(value: string | null): string {
  const text = value === null ? '' : FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line, including its line break; null is an empty cell. */
export const formatCsvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map(formatCell).join(',')}\r\n`

/** The first line of a file. */
export const formatCsvHeader = (header: readonly string[]): string => BYTE_ORDER_MARK + formatCsvLine(header)

/** The number of rows of a page. Reading and formatting one blocks the event loop for about a millisecond. */
export const CSV_PAGE_ROWS = 50

export interface CsvPage {
  readonly lines: readonly (readonly (string | null)[])[]
  readonly nextCursor: string | null
}

export interface CsvFile {
  /** The file name without date and extension: letters and hyphens. */
  readonly name: string
  /** Epoch milliseconds; the file name contains the day. */
  readonly createdAt: number
  readonly header: readonly string[]
  /** Reads one page, the first one if the cursor is undefined. */
  readonly readPage: (cursor: string | undefined) => Promise<CsvPage>
}

/**
 * Streams a CSV file: one page is in memory at a time, and the next one is read when the client has received it. The
 * first page is read before the response starts, so that an invalid request gets a regular error response. An error in a
 * later page aborts the response, so that a client cannot mistake a partial file for a complete one.
 */
export async function createCsvResponse({ name, createdAt, header, readPage }: CsvFile): Promise<Response> {
  const utf8 = new TextEncoder()
  const firstPage = await readPage(undefined)
  let text = formatCsvHeader(header) + formatLines(firstPage)
  let cursor = firstPage.nextCursor
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A page of a filtered list can be empty without being the last one.
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
    },
  })
}

const formatLines = ({ lines }: CsvPage): string => lines.map(formatCsvLine).join('')
