import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** Events can be hosted by a member. */
export const eventHost: Migration = {
  name: '0010-event-host',
  async up({ db, text }) {
    await db.schema
      .alterTable('event')
      .addColumn('host_account_id', text as ColumnDataType)
      .execute()
  },
}
