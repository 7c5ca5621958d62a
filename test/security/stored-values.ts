import { Database } from 'bun:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { decodeCompactJson } from '@reeve/db'
import { connectTo } from '@reeve/db/test-cluster'

/** Every value of a SQLite file as text: some are compressed. */
export function readDatabase(path: string): string {
  const database = new Database(path, { readonly: true })
  const tables = database
    .query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'",
    )
    .all()
  const values = tables.flatMap(({ name }) => database.query(`select * from "${name}"`).values().flat())
  database.close()
  return values.map(readValue).join('\n')
}

/** Every value of a database on PostgreSQL as text. */
export async function readServerDatabase(url: string): Promise<string> {
  const { query, close } = await connectTo(url)
  try {
    const tables = await query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    const values: unknown[] = []
    for (const { name } of tables)
      values.push(...(await query<object>(`select * from "${name}"`)).flatMap((row) => Object.values(row)))
    return values.map(readValue).join('\n')
  } finally {
    await close()
  }
}

const ZSTD_MAGIC = '28b52ffd'

/** A value as text, decompressed if it is compressed. */
export function readValue(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value)
  const bytes = Buffer.from(value)
  if (bytes.subarray(0, 4).toString('hex') === ZSTD_MAGIC) return String(zstdDecompressSync(bytes))
  try {
    return JSON.stringify(decodeCompactJson(value))
  } catch {
    return `${bytes.toString('latin1')}\n${bytes.toString('hex')}`
  }
}
