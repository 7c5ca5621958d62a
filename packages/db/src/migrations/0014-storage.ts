import { type ColumnDataType, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Adds the stored bytes of each workspace, which a job counts for existing data, quotas for them, and what tells whether an image is
 * still needed.
 */
export const storage: Migration = {
  name: '0014-storage',
  async up({ db, text, integer, finish }) {
    const textType = text as ColumnDataType
    const integerType = integer as ColumnDataType
    const counters = ['record_bytes', 'image_bytes', 'archive_bytes', 'response_bytes', 'storage_counted_at']
    for (const column of counters) {
      await db.schema
        .alterTable('workspace_head')
        .addColumn(column, integerType, (added) => added.notNull().defaultTo(0))
        .execute()
    }
    await db.schema.alterTable('workspace').addColumn('storage_quota', integerType).execute()
    await db.schema.alterTable('media').addColumn('size_bytes', integerType).execute()
    await finish(db.schema.createTable('unused_image'))
      .addColumn('hash', textType, (column) => column.notNull())
      .addColumn('found_at', integerType, (column) => column.notNull())
      .addPrimaryKeyConstraint('unused_image_key', ['hash'])
      .execute()
    await finish(db.schema.createTable('archive_image'))
      .addColumn('workspace_id', textType, (column) => column.notNull())
      .addColumn('archive_id', textType, (column) => column.notNull())
      .addColumn('hash', textType, (column) => column.notNull())
      .addPrimaryKeyConstraint('archive_image_key', ['workspace_id', 'archive_id', 'hash'])
      .addForeignKeyConstraint(
        'archive_image_refers_0',
        ['workspace_id', 'archive_id'],
        'archive',
        ['workspace_id', 'id'],
        (reference) => reference.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('archive_image_by_hash').on('archive_image').column('hash').execute()
    await db.schema
      .createIndex('event_by_image')
      .on('event')
      .columns(['image_url', 'workspace_id'])
      .where(sql.raw<boolean>('image_url is not null'))
      .execute()
    // Which images in a bucket an older archive refers to is only in its compressed parts: it keeps all that existed then.
    await db
      .insertInto('archive_image')
      .columns(['workspace_id', 'archive_id', 'hash'])
      .expression(
        db
          .selectFrom('archive')
          .innerJoin('media', (join) => join.onRef('media.created_at', '<=', 'archive.created_at'))
          .select(['archive.workspace_id', 'archive.id', 'media.hash'])
          .where('media.bytes', 'is', null),
      )
      .execute()
  },
}
