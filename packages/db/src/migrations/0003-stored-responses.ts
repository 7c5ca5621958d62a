import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** The stored responses that contain a record, by the record, so that a redaction need not search all responses of its workspace. */
export const storedResponses: Migration = {
  name: '0003-stored-responses',
  async up({ db }) {
    await sql`create index idempotency_by_record on idempotency (workspace_id, substr(answer, 18, 36))
      where answer like '{"record":{"id":"%'`.execute(db)
  },
}
