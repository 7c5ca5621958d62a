import { Database as Engine } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDataFolder, openServer, statement } from '../src/index.ts'
import { createDatabase, queryServer } from './cluster.ts'
import { startPooler } from './pooler.ts'

const folders: string[] = []
const poolers: { stop: () => void }[] = []

/** Creates an empty folder. `removeScratch` removes it. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-db-'))
  folders.push(folder)
  return folder
}

/** Removes all scratch folders, and stops all poolers. */
export const removeScratch = (): void => {
  for (const { stop } of poolers.splice(0)) stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** Queries the database of a folder on a separate connection, without our own code. */
export function queryFolder<Row>(folder: string, sql: string): Row[] {
  const engine = new Engine(join(folder, 'reeve.db'), { readonly: true })
  try {
    return engine.query<Row, []>(sql).all()
  } finally {
    engine.close()
  }
}

/** Opens the database of a folder, by default a new one. */
export async function openScratch(folder = scratchFolder()) {
  const { database, applied } = await openDataFolder(folder, { now: Date.now })
  return { db: database, applied, folder }
}

/**
 * Locks the database of a folder from another process for some milliseconds. Resolves once it is locked.
 * @param keepsOut writers, or readers too, as the recovery after a crash does
 */
export async function lockFromOtherProcess(
  folder: string,
  ms: number,
  keepsOut: 'writers' | 'readers too' = 'writers',
) {
  const script = `
    const engine = new (require('bun:sqlite').Database)(${JSON.stringify(join(folder, 'reeve.db'))})
    engine.run('PRAGMA locking_mode = ${keepsOut === 'writers' ? 'NORMAL' : 'EXCLUSIVE'}')
    engine.run('BEGIN IMMEDIATE')
    console.log('locked')
    Bun.sleepSync(${ms})
    engine.run('ROLLBACK')`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  await child.stdout.getReader().read()
  return child
}

/** An id that differs between numbers. */
export const testId = (number: number): string =>
  `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`

/** An id as a literal in SQL without our own code. */
export const idLiteral = (engine: string, id: string): string =>
  engine === 'SQLite' ? `x'${id.replaceAll('-', '')}'` : `'${id}'`

/** A database on one of the engines. */
export interface OpenedDatabase {
  readonly db: Database
  /** Queries it on a separate connection, without our own code. */
  readonly query: <Row>(sql: string) => Promise<Row[]>
  /** The expression with which the script of another process opens it. */
  readonly openExpression: string
}

/** The engines that tests of common behavior run on. */
export const engines: readonly { name: string; open: () => Promise<OpenedDatabase> }[] = [
  {
    name: 'SQLite',
    async open() {
      const { db, folder } = await openScratch()
      return {
        db,
        query: async (sql) => queryFolder(folder, sql),
        openExpression: `openDataFolder('${folder}', { now: Date.now })`,
      }
    },
  },
  {
    name: 'PostgreSQL',
    async open() {
      const url = await createDatabase()
      const { database: db } = await openServer(url, { now: Date.now })
      return {
        db,
        query: (sql) => queryServer(url, sql),
        openExpression: `openServer('${url}', { now: Date.now })`,
      }
    },
  },
  {
    name: 'PostgreSQL through a pooler',
    async open() {
      const url = await createDatabase()
      const pooler = await startPooler(url)
      poolers.push(pooler)
      const { database: db } = await openServer(url, { now: Date.now, poolerUrl: pooler.url })
      const openExpression = `openServer('${url}', { now: Date.now, poolerUrl: '${pooler.url}' })`
      return { db, query: (sql) => queryServer(url, sql), openExpression }
    },
  },
]

/** The counters of a workspace without anything. */
export const emptyHead = {
  case_number: 0,
  audit_sequence: 0,
  history: 0,
  feed_from: 0,
  audit_hash: '',
  record_bytes: 0,
  image_bytes: 0,
  evidence_bytes: 0,
  archive_bytes: 0,
  response_bytes: 0,
  storage_counted_at: 0,
}

export const insertImage = statement<{ hash: string; bytes: Uint8Array | null }>()((sql, p) =>
  sql.insertInto('media').values({
    hash: p.hash,
    extension: 'png',
    content_type: 'image/png',
    bytes: p.bytes,
    created_at: 0,
  }),
)
export const findImage = statement<{ hash: string }>()((sql, p) =>
  sql.selectFrom('media').select(['hash', 'bytes']).where('hash', '=', p.hash),
)
export const listImages = statement()((sql) => sql.selectFrom('media').select('hash').orderBy('hash'))

export const bytes = new Uint8Array([0, 1, 254, 255])
