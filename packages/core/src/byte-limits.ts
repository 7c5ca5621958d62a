/** Limits of what is read or sent at a time, in bytes, because rows can be a thousand times larger than usual. */

const KIB = 1024

/** The maximum size of a page of a list. One row that is larger is a page of its own. */
export const MAX_PAGE_BYTES = 1024 * KIB

/** The maximum size of the rows that a batch reads into memory. One row that is larger is a batch of its own. */
export const MAX_BATCH_BYTES = 4 * 1024 * KIB

/** Splits rows into groups of at most so many bytes, in their order. @param toBytes the size of a row */
export function* groupBySize<Row>(
  rows: readonly Row[],
  maxBytes: number,
  toBytes: (row: Row) => number,
): Generator<Row[]> {
  let start = 0
  let bytes = 0
  for (const [index, row] of rows.entries()) {
    const size = toBytes(row)
    if (index > start && bytes + size > maxBytes) {
      yield rows.slice(start, index)
      start = index
      bytes = 0
    }
    bytes += size
  }
  if (start < rows.length) yield rows.slice(start)
}

/** The first rows that together have at most so many bytes, at least one if there are any. */
export const takeBySize = <Row>(
  rows: readonly Row[],
  maxBytes: number,
  toBytes: (row: Row) => number,
): Row[] => groupBySize(rows, maxBytes, toBytes).next().value ?? []

/** So many items of any list fit on a page: the largest ones, events, have less than 50 KiB. */
const UNMEASURED_ITEMS = 20

/** The first items of a list whose JSON fits on a page, at least one if there are any. */
export function takePage<Item>(items: Item[]): Item[] {
  // Only few lists can have so much text, and measuring costs as much as sending.
  if (items.length <= UNMEASURED_ITEMS || estimateMaxBytes(items) <= MAX_PAGE_BYTES) return items
  return takeBySize(items, MAX_PAGE_BYTES, (item) => Buffer.byteLength(JSON.stringify(item)) + 1)
}

/** The most bytes that one UTF-16 code unit has in JSON: as an escape such as `\u0000`. */
const MAX_BYTES_PER_UNIT = 6
/** More than the JSON of a number, of a boolean or of null. */
const MAX_OTHER_BYTES = 32

/** At least the size of the JSON of a value, without reading its texts. */
function estimateMaxBytes(value: unknown): number {
  if (typeof value === 'string') return MAX_BYTES_PER_UNIT * value.length + 3
  if (typeof value !== 'object' || value === null) return MAX_OTHER_BYTES
  let bytes = 3
  if (Array.isArray(value)) for (const item of value) bytes += estimateMaxBytes(item)
  else for (const key in value) bytes += key.length + 4 + estimateMaxBytes(value[key as never])
  return bytes
}
