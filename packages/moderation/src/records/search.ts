import { HOUR_MS } from '@reeve/core'
import { type Queries, yieldToEventLoop } from '@reeve/db'
import {
  endOfStep,
  type ListParams,
  type ListShape,
  newestCaseNumber,
  recordFromCase,
  recordsPage,
} from './list-statements.ts'
import {
  type FilterByText,
  MAX_COMMENT_BYTES,
  type SearchedRow,
  sumCommentBytes,
  takeByComments,
} from './text-filter.ts'

/** Searches in long lists: each request examines a limited number of records, in steps between which others run. */

/** Records that one statement examines. Rows of 500 records take SQLite and the text comparison about 3 ms. */
const ROWS_PER_STEP = 500
/** Maximum number of records that one request examines. */
const MAX_EXAMINED = 20_000

export interface SearchResult {
  readonly rows: readonly SearchedRow[]
  /** Where the next page starts: below this case number; null at the end of the list. */
  readonly nextBelow: number | null
  /** Whether the search stopped because it had examined enough records. */
  readonly isInterrupted: boolean
}

/**
 * Examines the records of a list from `below` down to `lowest` until it has a page.
 * @param filterByText decides about what the statement cannot
 */
export async function searchRecords(
  db: Queries,
  shape: ListShape,
  params: ListParams,
  filterByText: FilterByText | null,
): Promise<SearchResult> {
  const { limit, lowest } = params
  const found: SearchedRow[] = []
  let { below } = params
  let commentBytes = 0
  for (let examinedRows = ROWS_PER_STEP; ; examinedRows += ROWS_PER_STEP) {
    const stepEnd = await db.first(endOfStep(shape), { ...params, below, skippedRows: ROWS_PER_STEP - 1 })
    const rows = await db.all(recordsPage(shape), {
      ...params,
      below,
      lowest: stepEnd?.case_number ?? lowest,
      limit: filterByText ? ROWS_PER_STEP : limit + 1 - found.length,
    })
    const examined = filterByText ? takeByComments(rows, MAX_COMMENT_BYTES - commentBytes) : rows
    commentBytes += sumCommentBytes(examined)
    found.push(...(filterByText ? await filterByText(examined) : examined))
    if (found.length > limit) {
      const pageRows = found.slice(0, limit)
      return { rows: pageRows, nextBelow: pageRows.at(-1)?.case_number ?? null, isInterrupted: false }
    }
    const last = examined.at(-1)
    if (last && examined.length < rows.length)
      return { rows: found, nextBelow: last.case_number, isInterrupted: true }
    if (!stepEnd) return { rows: found, nextBelow: null, isInterrupted: false }
    below = stepEnd.case_number
    if (examinedRows >= MAX_EXAMINED) return { rows: found, nextBelow: below, isInterrupted: true }
    await yieldToEventLoop()
  }
}

/** Replicas whose clocks differ create records in a slightly different order than their times. */
const CLOCK_TOLERANCE_MS = HOUR_MS

/**
 * Limits a list to the case numbers that were created between two times, since records are numbered in the order of their
 * creation and the time has no index.
 */
export async function findCaseRange(
  db: Queries,
  workspaceId: string,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<{ lowest: number; below: number }> {
  const newest = (await db.first(newestCaseNumber, { workspaceId }))?.case_number ?? 0
  const findFirstSince = async (time: number): Promise<number> => {
    let low = 1
    let high = newest + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = await db.first(recordFromCase, { workspaceId, caseNumber: middle })
      if (!row || row.created_at >= time) high = middle
      else low = row.case_number + 1
    }
    return low
  }
  return {
    lowest: from === undefined ? 0 : await findFirstSince(from - CLOCK_TOLERANCE_MS),
    below: to === undefined ? Number.MAX_SAFE_INTEGER : await findFirstSince(to + CLOCK_TOLERANCE_MS),
  }
}
