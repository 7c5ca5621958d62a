import { groupBySize, takeBySize, toSearchText } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { parseComments } from './columns.ts'
import type { ListedRow } from './model.ts'

/** Searching the texts of records. Comments are read separately, a limited number of bytes at a time. */

const commentsOfRecords = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select(['id', 'comments'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)

/** Comments that are read and compared at a time, which takes some milliseconds. */
const STEP_BYTES = 256 * 1024
/** Comments that one request reads. */
export const MAX_COMMENT_BYTES = 8 * 1024 * 1024

/** A row of a list that is searched for a text. */
export interface SearchedRow extends ListedRow {
  readonly comment_bytes?: number
}

const toCommentBytes = (row: SearchedRow): number => (row.comment_count === 0 ? 0 : (row.comment_bytes ?? 0))

/** The first rows whose comments have at most so many bytes together, at least one if there are any. */
export const takeByComments = (rows: readonly SearchedRow[], maxBytes: number): readonly SearchedRow[] =>
  takeBySize(rows, maxBytes, toCommentBytes)

export const sumCommentBytes = (rows: readonly SearchedRow[]): number =>
  rows.reduce((bytes, row) => bytes + toCommentBytes(row), 0)

/** Returns the rows whose reason, revoke reason or comments contain a text, ignoring case, accents and how its words are spaced. */
export type FilterByText = (rows: readonly SearchedRow[]) => Promise<readonly SearchedRow[]>

export function createTextFilter(db: Queries, workspaceId: string, text: string): FilterByText {
  const needle = toSearchText(text)
  const contains = (value: string | null) => value !== null && toSearchText(value).includes(needle)
  const isInReasons = (row: SearchedRow) => contains(row.reason) || contains(row.revoke_reason)
  return async (rows) => {
    const matches = new Set(rows.filter(isInReasons))
    const others = rows.filter((row) => row.comment_count > 0 && !matches.has(row))
    for (const group of groupBySize(others, STEP_BYTES, toCommentBytes)) {
      const ids = group.map(({ id }) => id)
      const found = await db.all(commentsOfRecords, { workspaceId, ids })
      const comments = new Map(found.map((row) => [row.id, parseComments(row)]))
      for (const row of group)
        if (comments.get(row.id)?.some((comment) => contains(comment.text))) matches.add(row)
      await yieldToEventLoop()
    }
    return rows.filter((row) => matches.has(row))
  }
}
