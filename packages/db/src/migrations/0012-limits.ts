import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Counts successful sign-in attempts as well, also by session and invitation link. Adds the secrets of the instance, and the indexes
 * by which cleanup finds what has expired.
 */
export const limits: Migration = {
  name: '0012-limits',
  async up({ db, text, integer, finish }) {
    const textType = text as ColumnDataType
    const integerType = integer as ColumnDataType
    // The rows count for 15 minutes only.
    await db.schema.dropTable('sign_in_failure').execute()
    await finish(db.schema.createTable('sign_in_attempt'))
      .addColumn('id', textType, (column) => column.notNull())
      .addColumn('username_key', textType, (column) => column.notNull())
      .addColumn('address', textType, (column) => column.notNull())
      .addColumn('credential', textType, (column) => column.notNull())
      .addColumn('has_succeeded', integerType, (column) => column.notNull())
      .addColumn('at', integerType, (column) => column.notNull())
      .addPrimaryKeyConstraint('sign_in_attempt_key', ['id'])
      .execute()
    const indexes = {
      sign_in_attempt_by_address: ['address', 'at'],
      sign_in_attempt_by_username: ['username_key', 'address', 'at'],
      sign_in_attempt_by_credential: ['credential', 'at'],
      sign_in_attempt_by_age: ['at'],
    }
    for (const [name, columns] of Object.entries(indexes))
      await db.schema.createIndex(name).on('sign_in_attempt').columns(columns).execute()
    await db.schema.createIndex('session_by_expiry').on('session').column('expires_at').execute()
    await db.schema.createIndex('session_by_last_use').on('session').column('last_seen_at').execute()
    await db.schema.createIndex('invitation_by_expiry').on('invitation').column('expires_at').execute()
    await finish(db.schema.createTable('instance_secret'))
      .addColumn('name', textType, (column) => column.notNull())
      .addColumn('value', textType, (column) => column.notNull())
      .addPrimaryKeyConstraint('instance_secret_key', ['name'])
      .execute()
  },
}
