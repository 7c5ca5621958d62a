import { Database as Engine } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder, statement } from '../src/index.ts'

const folders: string[] = []

/** A new empty folder; `removeScratch` removes it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-db-'))
  folders.push(folder)
  return folder
}

/** Removes every folder that was made. */
export const removeScratch = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** Looks at the database of a folder past our own code, on a connection of its own. */
export function lookInto<Row>(folder: string, sql: string): Row[] {
  const engine = new Engine(join(folder, 'reeve.db'), { readonly: true })
  try {
    return engine.query<Row, []>(sql).all()
  } finally {
    engine.close()
  }
}

/** Opens a database in a folder, by default a new one. */
export async function openScratch(folder = scratchFolder()) {
  const { database, applied } = await openDataFolder(folder, Date.now)
  return { db: database, applied, folder }
}

export const addMedia = statement<{ hash: string; bytes: Uint8Array }>()((sql, p) =>
  sql.insertInto('media').values({
    hash: p.hash,
    extension: 'png',
    content_type: 'image/png',
    bytes: p.bytes,
    created_at: 0,
  }),
)
export const mediaByHash = statement<{ hash: string }>()((sql, p) =>
  sql.selectFrom('media').select(['hash', 'bytes']).where('hash', '=', p.hash),
)
export const allMedia = statement()((sql) => sql.selectFrom('media').select('hash').orderBy('hash'))

export const bytes = new Uint8Array([0, 1, 254, 255])
