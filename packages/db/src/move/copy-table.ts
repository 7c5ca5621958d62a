import { sha256Hex } from '@reeve/core/sha256'
import type { MoveEndpoint, MoveSource, MoveTarget, Row, Table } from './endpoint.ts'

/** How many rows are carried at a time; of those that hold images and archives, which take megabytes each, only some. */
const PAGE_ROWS = 1000
const BINARY_PAGE_ROWS = 4

/** How far a move is: rows of a table that were carried or compared, of how many. */
export interface MoveProgress {
  readonly phase: 'copy' | 'compare'
  readonly table: string
  readonly rows: number
  readonly total: number
}

/** What a table holds: how many rows, and the SHA-256 in hex over all of them, each as JSON, in the order of the key. */
export interface TableChecksum {
  readonly rows: number
  readonly sha256: string
}

const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** Reads a table in the order of its key, some rows at a time. */
async function* readPages(
  endpoint: MoveEndpoint,
  table: Table,
  last: Row | null = null,
): AsyncGenerator<Row[]> {
  const { name, columns, key } = table
  const pageSize = columns.some(({ isBinary }) => isBinary) ? BINARY_PAGE_ROWS : PAGE_ROWS
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

export async function countRows(endpoint: MoveEndpoint, { name }: Table): Promise<number> {
  const [row] = await endpoint.query(`select count(*) from "${name}"`, [])
  return Number(row?.[0] ?? 0)
}

/** Carries the rows of a table that are not there yet: those after the last that is. */
export async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  table: Table,
  onProgress: (onProgress: MoveProgress) => void,
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

/** Reads all of a table, and sums it up. */
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

/** A value as JSON can hold it: bytes stand as their own checksum. */
const toJsonValue = (value: unknown): unknown => (value instanceof Uint8Array ? sha256Hex(value) : value)
