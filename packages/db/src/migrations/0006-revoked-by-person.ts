import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** Who lifted or revoked a record, as for its actor: their name, and the player whom an API key acted for. */
export const revokedByPerson: Migration = {
  name: '0006-revoked-by-person',
  async up({ db, text }) {
    for (const column of ['revoked_by_username', 'revoked_by_platform_user_id'])
      await db.schema
        .alterTable('record')
        .addColumn(column, text as ColumnDataType)
        .execute()
  },
}
