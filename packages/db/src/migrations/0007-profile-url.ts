import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds the template of links to players' profiles on the game platform. */
export const profileUrl: Migration = {
  name: '0007-profile-url',
  async up({ db, text }) {
    await db.schema
      .alterTable('workspace')
      .addColumn('profile_url', text as ColumnDataType)
      .execute()
  },
}
