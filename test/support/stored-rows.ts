import type { Instance } from './instance.ts'

/** What moves with every call, whoever makes it: counts and last uses. */
const VOLATILE_COLUMNS: Readonly<Record<string, readonly string[] | 'all'>> = {
  usage: 'all',
  sign_in_failure: 'all',
  api_key: ['last_used_at', 'last_used_address'],
  session: ['last_seen_at'],
}

/**
 * Everything the instance has stored, by table and read past our own code: compare two with `toEqual` to show that
 * nothing was changed in between. Counts of calls and times of last use are left out.
 */
export async function readStoredRows({
  storage,
}: Pick<Instance, 'storage'>): Promise<Record<string, string[]>> {
  const tables = new Set((await storage.listColumns()).map(({ table }) => table))
  const rowsByTable: Record<string, string[]> = {}
  for (const table of tables) {
    const ignoredColumns = VOLATILE_COLUMNS[table] ?? []
    if (ignoredColumns === 'all') continue
    const rows = await storage.query<Record<string, unknown>>(`select * from "${table}"`)
    rowsByTable[table] = rows.map((row) => formatRow(row, ignoredColumns)).sort()
  }
  return rowsByTable
}

const formatRow = (row: Record<string, unknown>, ignoredColumns: readonly string[]): string =>
  JSON.stringify(row, (column, value) => {
    if (ignoredColumns.includes(column)) return undefined
    return value instanceof Uint8Array ? `${value.length} bytes, ${Bun.hash(value)}` : value
  })
