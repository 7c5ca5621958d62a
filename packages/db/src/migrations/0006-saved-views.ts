import { type ColumnDataType, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds named filters of record lists: a person's own, and those that they share with the workspace. */
export const savedViews: Migration = {
  name: '0006-saved-views',
  async up({ db, text, integer, finish }) {
    const textColumns = ['workspace_id', 'id', 'account_id', 'list', 'name', 'filters']
    const integerColumns = ['is_shared', 'created_at', 'updated_at', 'version']
    let table = db.schema.createTable('saved_view')
    for (const name of textColumns) table = table.addColumn(name, text as ColumnDataType, (c) => c.notNull())
    for (const name of integerColumns)
      table = table.addColumn(name, integer as ColumnDataType, (c) => c.notNull())
    await finish(table)
      .addPrimaryKeyConstraint('saved_view_key', ['workspace_id', 'id'] as never[])
      .addForeignKeyConstraint('saved_view_refers_0', ['workspace_id'] as never[], 'workspace', [
        'id',
      ] as never[])
      .execute()
    await db.schema
      .createIndex('saved_view_by_account')
      .on('saved_view')
      .columns(['workspace_id', 'account_id'])
      .execute()
    await db.schema
      .createIndex('saved_view_shared')
      .on('saved_view')
      .columns(['workspace_id', 'id'])
      .where(sql.raw<boolean>('is_shared = 1'))
      .execute()
  },
}
