import type { Migration } from '../migration.ts'

/** An image may lie in a store of its own: its row stays, and holds no bytes then. */
export const imagesElsewhere: Migration = {
  name: '0002-images-elsewhere',
  async up({ db }) {
    await db.schema
      .alterTable('media')
      .alterColumn('bytes', (column) => column.dropNotNull())
      .execute()
  },
}
