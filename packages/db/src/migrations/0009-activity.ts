import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds the counts of moderation actions, which a job fills from the audit log, so that recent activity is read in milliseconds. */
export const activity: Migration = {
  name: '0009-activity',
  async up({ db, text, integer, finish }) {
    const textType = text as ColumnDataType
    const integerType = integer as ColumnDataType
    await finish(db.schema.createTable('activity'))
      .addColumn('workspace_id', textType, (column) => column.notNull())
      .addColumn('action', textType, (column) => column.notNull())
      .addColumn('quarter', integerType, (column) => column.notNull())
      .addColumn('count', integerType, (column) => column.notNull())
      .addPrimaryKeyConstraint('activity_key', ['workspace_id', 'action', 'quarter'])
      .execute()
    await finish(db.schema.createTable('activity_by_actor'))
      .addColumn('workspace_id', textType, (column) => column.notNull())
      .addColumn('quarter', integerType, (column) => column.notNull())
      .addColumn('actor_kind', textType, (column) => column.notNull())
      .addColumn('actor_id', textType, (column) => column.notNull())
      .addColumn('action', textType, (column) => column.notNull())
      .addColumn('actor_name', textType, (column) => column.notNull())
      .addColumn('count', integerType, (column) => column.notNull())
      .addPrimaryKeyConstraint('activity_by_actor_key', [
        'workspace_id',
        'quarter',
        'actor_kind',
        'actor_id',
        'action',
      ])
      .execute()
    await finish(db.schema.createTable('activity_progress'))
      .addColumn('workspace_id', textType, (column) => column.notNull())
      .addColumn('sequence', integerType, (column) => column.notNull())
      .addPrimaryKeyConstraint('activity_progress_key', ['workspace_id'])
      .execute()
  },
}
