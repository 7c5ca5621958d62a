import { sql } from 'kysely'
import type { EngineTools } from '../migration.ts'
import { sqliteNameIndex } from './name-index.ts'

/** Strict tables, so that column types are enforced. */
export const sqliteTools: EngineTools = {
  text: 'text',
  integer: 'integer',
  int32: 'integer',
  blob: 'blob',
  id: 'blob',
  idOrText: 'blob',
  hash: 'blob',
  compactJson: 'blob',
  finish: (table) => table.modifyEnd(sql`strict`),
  clustered: (table) => table.modifyEnd(sql`without rowid, strict`),
  nameIndex: sqliteNameIndex,
}
