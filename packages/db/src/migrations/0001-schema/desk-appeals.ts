import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable, type Reference } from '../create-table.ts'
import { toWorkspace } from './references.ts'

const toRecord: Reference = {
  columns: ['workspace_id', 'record_id'],
  to: 'record',
  keys: ['workspace_id', 'id'],
  isDeletedTogether: true,
}
const toAppeal: Reference = {
  columns: ['workspace_id', 'appeal_id'],
  to: 'appeal',
  keys: ['workspace_id', 'id'],
  isDeletedTogether: true,
}

/** Appeals of bans, their messages, and the settings of a workspace. */
export async function createAppealTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'appeal',
    `submitted_at int!, updated_at int!, ban_expires_at int, closed_at int, decided_at int, waited_ms int,
     next_appeal_at int, case_number int32!, is_final int32!, message_count int32!, version int32!,
     workspace_id id!, id id!, record_id id!, user_id text!, user_username text, state text!,
     decided_by id_or_text, effect text, answers text!`,
    ['workspace_id', 'id'],
    { references: [toRecord] },
  )
  await createIndex(tools, 'appeal_by_record', 'appeal', ['workspace_id', 'record_id', 'id'])
  // One open appeal for each ban, whatever races.
  await createIndex(tools, 'appeal_open_by_record', 'appeal', ['workspace_id', 'record_id'], {
    unique: true,
    where: 'closed_at is null',
  })
  await createIndex(tools, 'appeal_open', 'appeal', ['workspace_id', 'id'], { where: 'closed_at is null' })
  await createIndex(tools, 'appeal_by_state', 'appeal', ['workspace_id', 'state', 'id'])
  await createIndex(tools, 'appeal_by_player', 'appeal', ['workspace_id', 'user_id', 'id'])
  await createIndex(tools, 'appeal_by_decision', 'appeal', ['workspace_id', 'decided_at'], {
    where: 'decided_at is not null',
  })
  // Finds open appeals whose ban has expired.
  await createIndex(tools, 'appeal_by_expiry', 'appeal', ['ban_expires_at'], {
    where: 'closed_at is null and ban_expires_at is not null',
  })
  await createTable(
    tools,
    'appeal_message',
    `workspace_id id!, appeal_id id!, id id!, author text!, is_internal int32!, author_id id_or_text,
     text text!, created_at int!`,
    ['workspace_id', 'appeal_id', 'id'],
    { references: [toAppeal] },
  )
  await createTable(
    tools,
    'appeal_settings',
    `workspace_id id!, is_enabled int32!, after_days int32!, window_days int32, cooldown_days int32!,
     allows_own_decision int32!, allows_files int32!, introduction text, questions text!, updated_at int!, version int32!`,
    ['workspace_id'],
    { references: [toWorkspace] },
  )
}
