import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** Whether a passkey has verified its user, so that it is known to sign in alone. Of earlier ones it is not known until their next use. */
export const verifiedUsers: Migration = {
  name: '0008-verified-users',
  async up({ db, integer }) {
    await db.schema
      .alterTable('passkey')
      .addColumn('has_verified_user', integer as ColumnDataType, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
