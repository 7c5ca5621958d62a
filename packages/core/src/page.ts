import { invalidRequest } from './error.ts'

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200

/** Sorts after every id, in any collation: where a list by id that runs from the newest begins. */
export const MAX_ID = 'z'

/** One part of a keyset: the sort value of the last row on a page. */
export type CursorPart = string | number

/** What a list service asks for: how many rows, and after which. */
export interface PageQuery {
  readonly limit: number
  readonly after: readonly CursorPart[] | null
}

/** Writes an opaque cursor. `list` names the list, so that a cursor of another one is refused. */
export const encodeCursor = (list: string, parts: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify([list, ...parts])).toString('base64url')

/**
 * Reads a cursor that `writeCursor` made for the same list.
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
    message: 'must be a nextCursor of this same list, unchanged',
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

/**
 * The page a request asks for: `limit` 50 where it names none, and the parts of its cursor.
 * @throws AppError `invalid_request` naming `cursor`
 */
export const parsePage = (
  list: string,
  query: { readonly limit?: number; readonly cursor?: string },
  shape: readonly ('string' | 'number')[],
): PageQuery => ({
  limit: query.limit ?? DEFAULT_LIMIT,
  after: query.cursor === undefined ? null : decodeCursor(list, query.cursor, shape),
})

/** Cuts the look-ahead row off and says where the next page begins. Ask the database for `limit + 1` rows. */
export function paginate<Row>(
  rows: readonly Row[],
  limit: number,
  list: string,
  toCursorParts: (row: Row) => readonly CursorPart[],
): { rows: readonly Row[]; nextCursor: string | null } {
  if (rows.length <= limit) return { rows, nextCursor: null }
  const pageRows = rows.slice(0, limit)
  const last = pageRows[limit - 1] as Row
  return { rows: pageRows, nextCursor: encodeCursor(list, toCursorParts(last)) }
}
