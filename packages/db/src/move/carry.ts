import type { End, Row, Source, Table, Target } from './end.ts'

/** How many rows are carried at a time; of those that hold images and archives, which take megabytes each, only some. */
const ROWS = 1000
const BINARY_ROWS = 4

/** How far a move is: rows of a table that were carried or compared, of how many. */
export interface Far {
  readonly doing: 'carry' | 'compare'
  readonly table: string
  readonly rows: number
  readonly of: number
}

/** What a table holds: how many rows, and the SHA-256 in hex over all of them, each as JSON, in the order of the key. */
export interface Sum {
  readonly rows: number
  readonly sha256: string
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** Reads a table in the order of its key, some rows at a time. */
async function* pages(end: End, table: Table, last: Row | null = null): AsyncGenerator<Row[]> {
  const { name, columns, key } = table
  const many = columns.some(({ isBinary }) => isBinary) ? BINARY_ROWS : ROWS
  const names = columns.map((column) => column.name)
  const places = key.map((_, index) => `$${index + 1}`).join(', ')
  const selecting = `select ${quoted(names)} from "${name}"`
  const rest = `order by ${quoted(key)} limit ${many}`
  const inKey = key.map((column) => names.indexOf(column))
  for (let after = last; ; ) {
    const rows = await (after === null
      ? end.rows(`${selecting} ${rest}`, [])
      : end.rows(`${selecting} where (${quoted(key)}) > (${places}) ${rest}`, after))
    const final = rows.at(-1)
    if (!final) return
    yield rows
    if (rows.length < many) return
    after = inKey.map((index) => final[index])
  }
}

export async function countOf(end: End, { name }: Table): Promise<number> {
  const [row] = await end.rows(`select count(*) from "${name}"`, [])
  return Number(row?.[0] ?? 0)
}

/** Carries the rows of a table that are not there yet: those after the last that is. */
export async function carry(
  source: Source,
  target: Target,
  table: Table,
  far: (far: Far) => void,
): Promise<void> {
  const of = await countOf(source, table)
  let rows = await countOf(target, table)
  const tell = () => far({ doing: 'carry', table: table.name, rows, of })
  tell()
  const backwards = table.key.map((column) => `"${column}" desc`).join(', ')
  const [last = null] = await target.rows(
    `select ${quoted(table.key)} from "${table.name}" order by ${backwards} limit 1`,
    [],
  )
  for await (const page of pages(source, table, last)) {
    await target.add(table, page)
    rows += page.length
    tell()
  }
}

/** Reads all of a table, and sums it up. */
export async function sumUp(end: End, table: Table, read: (rows: number) => void): Promise<Sum> {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  for await (const page of pages(end, table)) {
    for (const row of page) hash.update(`${JSON.stringify(row.map(plain))}\n`)
    rows += page.length
    read(rows)
  }
  return { rows, sha256: hash.digest('hex') }
}

/** A value as JSON can hold it: bytes stand as their own checksum. */
const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? new Bun.CryptoHasher('sha256').update(value).digest('hex') : value
