import type { Instance } from './instance.ts'

/** What moves with every call, whoever makes it: counts and last uses. */
const UNREMARKABLE: Readonly<Record<string, readonly string[] | 'all'>> = {
  usage: 'all',
  sign_in_failure: 'all',
  api_key: ['last_used_at', 'last_used_address'],
  session: ['last_seen_at'],
}

/**
 * Everything the instance has stored, by table and read past our own code: compare two with `toEqual` to show that
 * nothing was changed in between. Counts of calls and times of last use are left out.
 */
export async function stored({ place }: Pick<Instance, 'place'>): Promise<Record<string, string[]>> {
  const tables = new Set((await place.columns()).map(({ table }) => table))
  const found: Record<string, string[]> = {}
  for (const table of tables) {
    const ignored = UNREMARKABLE[table] ?? []
    if (ignored === 'all') continue
    const rows = await place.ask<Record<string, unknown>>(`select * from "${table}"`)
    found[table] = rows.map((row) => lineOf(row, ignored)).sort()
  }
  return found
}

const lineOf = (row: Record<string, unknown>, ignored: readonly string[]): string =>
  JSON.stringify(row, (column, value) => {
    if (ignored.includes(column)) return undefined
    return value instanceof Uint8Array ? `${value.length} bytes, ${Bun.hash(value)}` : value
  })
