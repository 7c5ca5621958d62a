import { invalid } from './error.ts'

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200

/** Sorts after every id, in any collation: where a list by id that runs from the newest begins. */
export const AFTER_EVERY_ID = 'z'

/** One part of a keyset: the sort value of the last row on a page. */
export type CursorPart = string | number

/** What a list service asks for: how many rows, and after which. */
export interface Page {
  readonly limit: number
  readonly after: readonly CursorPart[] | null
}

/** Writes an opaque cursor. `list` names the list, so that a cursor of another one is refused. */
export const writeCursor = (list: string, parts: readonly CursorPart[]): string =>
  Buffer.from(JSON.stringify([list, ...parts])).toString('base64url')

/**
 * Reads a cursor that `writeCursor` made for the same list.
 * @param shape the type of every part, in order
 * @throws AppError `invalid_request` naming `cursor`
 */
export function readCursor(
  list: string,
  cursor: string,
  shape: readonly ('string' | 'number')[],
): CursorPart[] {
  const refused = invalid({ field: 'cursor', message: 'must be a nextCursor of this same list, unchanged' })
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refused
  }
  if (!Array.isArray(value) || value[0] !== list || value.length !== shape.length + 1) throw refused
  const parts: unknown[] = value.slice(1)
  const fits = parts.every((part, index) =>
    shape[index] === 'number' ? Number.isSafeInteger(part) : typeof part === 'string',
  )
  if (!fits || writeCursor(list, parts as CursorPart[]) !== cursor) throw refused
  return parts as CursorPart[]
}

/**
 * The page a request asks for: `limit` 50 where it names none, and the parts of its cursor.
 * @throws AppError `invalid_request` naming `cursor`
 */
export const pageAfter = (
  list: string,
  asked: { readonly limit?: number; readonly cursor?: string },
  shape: readonly ('string' | 'number')[],
): Page => ({
  limit: asked.limit ?? DEFAULT_LIMIT,
  after: asked.cursor === undefined ? null : readCursor(list, asked.cursor, shape),
})

/** Cuts the look-ahead row off and says where the next page begins. Ask the database for `limit + 1` rows. */
export function paged<Row>(
  rows: readonly Row[],
  limit: number,
  list: string,
  keyOf: (row: Row) => readonly CursorPart[],
): { rows: readonly Row[]; nextCursor: string | null } {
  if (rows.length <= limit) return { rows, nextCursor: null }
  const shown = rows.slice(0, limit)
  const last = shown[limit - 1] as Row
  return { rows: shown, nextCursor: writeCursor(list, keyOf(last)) }
}
