import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** By what restores recognize players who were erased after the archive was created: keyed hashes of their ids, and the key. */
export const erasedPlayers: Migration = {
  name: '0007-erased-players',
  async up({ db, text, integer }) {
    await db.schema
      .alterTable('erasure')
      .addColumn('user_hashes', text as ColumnDataType)
      .execute()
    await db.schema
      .alterTable('erasure')
      .addColumn('finished_sequence', integer as ColumnDataType)
      .execute()
    await db.schema
      .alterTable('workspace')
      .addColumn('erasure_key', text as ColumnDataType)
      .execute()
  },
}
