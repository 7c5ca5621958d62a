import { Database } from 'bun:sqlite'
import { join } from 'node:path'
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
export function stored(instance: Pick<Instance, 'folder'>): Record<string, string[]> {
  const engine = new Database(join(instance.folder, 'reeve.db'), { readonly: true })
  try {
    const tables = engine
      .query<{ name: string }, []>("select name from sqlite_master where type = 'table' order by name")
      .all()
      .map(({ name }) => name)
      .filter((name) => UNREMARKABLE[name] !== 'all')
    return Object.fromEntries(
      tables.map((name) => {
        const ignored = UNREMARKABLE[name] ?? []
        const rows = engine.query<Record<string, unknown>, []>(`select * from "${name}"`).all()
        return [name, rows.map((row) => lineOf(row, ignored)).sort()]
      }),
    )
  } finally {
    engine.close()
  }
}

const lineOf = (row: Record<string, unknown>, ignored: readonly string[] | 'all'): string =>
  JSON.stringify(row, (column, value) => {
    if (ignored.includes(column)) return undefined
    return value instanceof Uint8Array ? `${value.length} bytes, ${Bun.hash(value)}` : value
  })
