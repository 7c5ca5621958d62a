import { Database as Engine } from 'bun:sqlite'
import { join } from 'node:path'
import type { SeededData } from './seed.ts'

/**
 * The lean insert that durable writes are compared with: what a program without case numbers, lists, audit log and request
 * counts would store of a record, in one table with one index.
 */
const LEAN_TABLE = `create table lean (
  workspace_id text not null, id text not null, action text not null, user_id text not null, reason text, severity text not null,
  actor_id text not null, created_at integer not null, primary key (workspace_id, id)
)`

/** The workspace, the id, the player and the time. */
export const LEAN_INSERT = `insert into lean (workspace_id, id, action, user_id, reason, severity, actor_id, created_at)
  values (?, ?, 'warn', ?, 'Spamming', 'low', 'bench', ?)`

const LEAN_FILE = 'lean.db'

export const isLeanFile = (file: string): boolean => file.endsWith(LEAN_FILE)

/** Creates the lean table with as many rows as there are records. @returns its file */
export function createLeanData({ baselineLocation }: SeededData): string {
  const file = join(baselineLocation, '..', LEAN_FILE)
  const engine = new Engine(file, { create: true })
  engine.run('PRAGMA journal_mode = WAL')
  engine.run('PRAGMA synchronous = OFF')
  engine.run(LEAN_TABLE)
  engine.run(`attach '${baselineLocation.replaceAll("'", "''")}' as seeded`)
  engine.run(
    'insert into lean select workspace_id, id, action, user_id, reason, severity, actor_id, created_at from seeded.record order by created_at',
  )
  engine.run('detach seeded')
  engine.run('PRAGMA wal_checkpoint(TRUNCATE)')
  engine.close()
  return file
}
