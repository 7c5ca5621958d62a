import type { Migration } from '../migration.ts'

/** An account can exist without a password, so that later sign-in methods do not need one. */
export const optionalPassword: Migration = {
  name: '0004-optional-password',
  async up({ db }) {
    await db.schema
      .alterTable('account')
      .alterColumn('password_hash', (column) => column.dropNotNull())
      .execute()
  },
}
