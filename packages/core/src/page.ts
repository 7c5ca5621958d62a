import { takePage } from './byte-limits.ts'
import { invalidRequest } from './error.ts'
import { hashText } from './hash-text.ts'

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200

/** Sorts after every id in any collation: the start of a list by descending id. */
export const MAX_ID = 'z'

/** One part of a keyset cursor: a sort value of the last row of a page. */
export type CursorPart = string | number

/** The page to read: how many rows, and after which one. */
export interface PageQuery {
  readonly limit: number
  readonly after: readonly CursorPart[] | null
  /** Encodes a cursor that is valid for the same list with the same filters. */
  readonly toCursor: (parts: readonly CursorPart[]) => string
}

/** Encodes an opaque cursor. @param list the name of the list; the cursor is invalid for any other one */
export const encodeCursor = (list: string, parts: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify([list, ...parts])).toString('base64url')

/**
 * Decodes a cursor that `encodeCursor` created for the same list.
 * @param shape the type of every part, in order
 * @throws AppError `invalid_request` naming `cursor`
 */
export function decodeCursor(
  list: string,
  cursor: string,
  shape: readonly ('string' | 'number')[],
): CursorPart[] {
  const invalidCursor = invalidRequest({
    field: 'cursor',
    message: 'must be an unmodified nextCursor of the same list with the same filters',
  })
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw invalidCursor
  }
  if (!Array.isArray(value) || value[0] !== list || value.length !== shape.length + 1) throw invalidCursor
  const parts: unknown[] = value.slice(1)
  const isValid = parts.every((part, index) =>
    shape[index] === 'number' ? Number.isSafeInteger(part) : typeof part === 'string',
  )
  if (!isValid || encodeCursor(list, parts as CursorPart[]) !== cursor) throw invalidCursor
  return parts as CursorPart[]
}

/** A query with the fields of a page; all others but the workspace are filters. */
export interface ListQuery {
  readonly workspaceId?: string
  readonly limit?: number
  readonly cursor?: string
  readonly [filter: string]: unknown
}

/**
 * The requested page: `limit`, 50 by default, and the parts of its cursor.
 * @param query the filters, which the cursor is bound to, and the page
 * @throws AppError `invalid_request` naming `cursor`
 */
export const parsePage = (
  list: string,
  query: ListQuery,
  shape: readonly ('string' | 'number')[],
): PageQuery => ({
  limit: query.limit ?? DEFAULT_LIMIT,
  after: query.cursor === undefined ? null : decodeCursor(nameFilteredList(list, query), query.cursor, shape),
  toCursor: (parts) => encodeCursor(nameFilteredList(list, query), parts),
})

/** The name of a list with these filters, in any order. */
function nameFilteredList(list: string, query: ListQuery): string {
  const { workspaceId: _, limit: __, cursor: ___, ...filters } = query
  const entries = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value] as const)
    .sort(([name], [other]) => (name < other ? -1 : 1))
  return `${list}:${hashText(JSON.stringify(entries)).toString(36)}`
}

/**
 * Removes the lookahead row, and the rows that would make the page too large.
 * @param rows up to `limit + 1` of them
 * @param present returns what the response contains of a row, by default the row
 * @returns what `present` returned, and the cursor of the next page
 */
export function paginate<Row, Item = Row>(
  rows: readonly Row[],
  { limit, toCursor }: Pick<PageQuery, 'limit' | 'toCursor'>,
  toCursorParts: (row: Row) => readonly CursorPart[],
  present: (row: Row) => Item = (row) => row as unknown as Item,
): { rows: Item[]; nextCursor: string | null } {
  const page = takePage(rows.slice(0, limit).map(present))
  const last = rows[page.length - 1]
  const isLastPage = page.length === rows.length || last === undefined
  return { rows: page, nextCursor: isLastPage ? null : toCursor(toCursorParts(last)) }
}
