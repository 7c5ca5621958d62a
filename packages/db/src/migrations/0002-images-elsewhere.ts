import type { Migration } from '../migration.ts'

/** Allows images in an external image store, whose rows have no bytes. */
export const imagesElsewhere: Migration = {
  name: '0002-images-elsewhere',
  async up({ db }) {
    await db.schema
      .alterTable('media')
      .alterColumn('bytes', (column) => column.dropNotNull())
      .execute()
  },
}
