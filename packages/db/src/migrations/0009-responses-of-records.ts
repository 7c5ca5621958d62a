import { type ColumnDataType, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** The record whose texts a stored response contains, whatever the form of the response. */
export const responsesOfRecords: Migration = {
  name: '0009-responses-of-records',
  async up({ db, text }) {
    await db.schema
      .alterTable('idempotency')
      .addColumn('record_id', text as ColumnDataType)
      .execute()
    await sql`update idempotency set record_id = substr(answer, 18, 36)
      where answer like '{"record":{"id":"%'`.execute(db)
    await sql`drop index idempotency_by_record`.execute(db)
    await sql`create index idempotency_by_record on idempotency (workspace_id, record_id)
      where record_id is not null`.execute(db)
  },
}
