import type { ColumnDataType } from 'kysely'
import type { Migration } from '../migration.ts'

/** How many entries of an import have lifted what an earlier one has brought. */
export const liftedEntries: Migration = {
  name: '0010-lifted-entries',
  async up({ db, integer }) {
    await db.schema
      .alterTable('import')
      .addColumn('lifted_count', integer as ColumnDataType, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
