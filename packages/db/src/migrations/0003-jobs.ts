import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds the time of the last start of each job, so that one of several processes runs it. */
export const jobs: Migration = {
  name: '0003-jobs',
  async up({ db, text, integer, finish }) {
    await finish(db.schema.createTable('job'))
      .addColumn('name', text as ColumnDataType, (column) => column.notNull())
      .addColumn('begun_at', integer as ColumnDataType, (column) => column.notNull())
      .addPrimaryKeyConstraint('job_key', ['name'])
      .execute()
  },
}
