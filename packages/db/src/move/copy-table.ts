import { sha256Hex } from '@reeve/core/sha256'
import type { MoveEndpoint, MoveSource, MoveTarget, Row, Table } from './endpoint.ts'

/** The number of rows per page; fewer for tables with images and archives, whose rows take megabytes. */
const PAGE_ROWS = 1000
const LARGE_PAGE_ROWS = 4

/** A move waits for another one. */
export interface MoveWait {
  readonly phase: 'wait'
  /** Why, in a sentence for the user. */
  readonly reason: string
}

/** The progress of a move: how many rows of a table were copied or compared. */
export interface MoveProgress {
  readonly phase: 'copy' | 'compare'
  readonly table: string
  readonly rows: number
  readonly total: number
}

/** The number of rows of a table, and the SHA-256 in hex over all of them, as JSON lines in the order of the key. */
export interface TableChecksum {
  readonly rows: number
  readonly sha256: string
}

const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** Reads a table page by page in the order of its key, starting after the key `last`. */
async function* readPages(
  endpoint: MoveEndpoint,
  table: Table,
  last: Row | null = null,
): AsyncGenerator<Row[]> {
  const { name, columns, key } = table
  const pageSize = columns.some(({ isLarge }) => isLarge) ? LARGE_PAGE_ROWS : PAGE_ROWS
  const names = columns.map((column) => column.name)
  const placeholders = key.map((_, index) => `$${index + 1}`).join(', ')
  const select = `select ${quoteNames(names)} from "${name}"`
  const orderAndLimit = `order by ${quoteNames(key)} limit ${pageSize}`
  const keyIndexes = key.map((column) => names.indexOf(column))
  for (let after = last; ; ) {
    const rows = await (after === null
      ? endpoint.query(`${select} ${orderAndLimit}`, [])
      : endpoint.query(`${select} where (${quoteNames(key)}) > (${placeholders}) ${orderAndLimit}`, after))
    const lastRow = rows.at(-1)
    if (!lastRow) return
    yield rows
    if (rows.length < pageSize) return
    after = keyIndexes.map((index) => lastRow[index])
  }
}

/** The number of rows of a table. */
export async function countRows(endpoint: MoveEndpoint, { name }: Table): Promise<number> {
  const [row] = await endpoint.query(`select count(*) from "${name}"`, [])
  return Number(row?.[0] ?? 0)
}

/** Copies the rows of a table that come after the last row of the target. */
export async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  table: Table,
  onProgress: (progress: MoveProgress) => void,
): Promise<void> {
  const total = await countRows(source, table)
  let rows = await countRows(target, table)
  const report = () => onProgress({ phase: 'copy', table: table.name, rows, total })
  report()
  const descending = table.key.map((column) => `"${column}" desc`).join(', ')
  const [last = null] = await target.query(
    `select ${quoteNames(table.key)} from "${table.name}" order by ${descending} limit 1`,
    [],
  )
  for await (const page of readPages(source, table, last)) {
    await target.insertRows(table, page)
    rows += page.length
    report()
  }
}

/** Computes the checksum of a table. @param onRead gets the number of rows read so far */
export async function checksumTable(
  endpoint: MoveEndpoint,
  table: Table,
  onRead: (rows: number) => void,
): Promise<TableChecksum> {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  for await (const page of readPages(endpoint, table)) {
    for (const row of page) hash.update(`${JSON.stringify(row.map(toJsonValue))}\n`)
    rows += page.length
    onRead(rows)
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Bytes that are longer become their checksum. */
const MAX_HEX_BYTES = 64

/** Converts a value for JSON: ids and hashes become hex. */
function toJsonValue(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value
  return value.length <= MAX_HEX_BYTES ? value.toHex() : sha256Hex(value)
}
