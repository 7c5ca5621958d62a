import { sql } from 'kysely'
import type { EngineTools } from '../migration.ts'
import { postgresNameIndex } from './name-index.ts'

/** Every text column has the collation "C", so that sorting does not depend on the database locale. */
export const postgresTools: EngineTools = {
  text: sql`text collate "C"`,
  integer: 'bigint',
  int32: 'integer',
  blob: 'bytea',
  id: 'uuid',
  idOrText: 'bytea',
  hash: 'bytea',
  compactJson: 'bytea',
  finish: (table) => table,
  clustered: (table) => table,
  nameIndex: postgresNameIndex,
}
