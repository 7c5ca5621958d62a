import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { createTable } from './create-table.ts'

/** The bans that were appealed, by their day, so that insights need not search all appeals. */
export const appealedBans: Migration = {
  name: '0002-appealed-bans',
  async up(tools) {
    await createTable(
      tools,
      'appealed_ban',
      'workspace_id id!, day int!, record_id id!, actor_id id_or_text!',
      ['workspace_id', 'day', 'record_id'],
      { isClustered: true },
    )
    await sql`insert into appealed_ban (workspace_id, day, record_id, actor_id)
      select record.workspace_id, record.created_at / 86400000, record.id, record.actor_id
      from (select distinct workspace_id, record_id from appeal) as appealed
      join record on record.workspace_id = appealed.workspace_id and record.id = appealed.record_id`.execute(
      tools.db,
    )
  },
}
