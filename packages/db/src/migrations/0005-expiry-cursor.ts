import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'
import { createIndex } from './create-table.ts'

/** Which of the sanctions that expire in one millisecond were reported to webhooks, so that any number of them can be reported in steps. */
export const expiryCursor: Migration = {
  name: '0005-expiry-cursor',
  async up(tools) {
    const { db, id } = tools
    await db.schema
      .alterTable('delivery_cursor')
      .addColumn('expired_id', id as ColumnDataType)
      .execute()
    await db.schema.dropIndex('record_by_expiry').execute()
    await createIndex(tools, 'record_by_expiry', 'record', ['workspace_id', 'expires_at', 'id'], {
      where: 'in_force = 1 and expires_at is not null',
    })
  },
}
