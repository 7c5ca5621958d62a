import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Finds the newest records of an action that people created, without reading those of API keys. */
export const recentReasons: Migration = {
  name: '0008-recent-reasons',
  async up({ db }) {
    await db.schema
      .createIndex('record_by_people')
      .on('record')
      .columns(['workspace_id', 'action', 'case_number'])
      .where(sql.raw<boolean>("actor_kind = 'account'"))
      .execute()
  },
}
