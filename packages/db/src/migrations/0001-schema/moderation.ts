import { sql } from 'kysely'
import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

export async function createModerationTables(tools: MigrationTools): Promise<void> {
  // Numbers first, because PostgreSQL aligns them, and long texts last, because most statements do not read them.
  await createTable(
    tools,
    'record',
    `created_at int!, updated_at int!, expires_at int, acknowledged_at int, revoked_at int,
     redacted_at int, occurred_at int, appeal_code int, appeal_from int, appeal_until int, duration_seconds int, case_number int32!, sequence int32!, version int32!,
     in_force int32!, counts_until int, template_version int32, ladder_version int32, step int32, evidence_count int32!, evidence_file_count int32!, comment_count int32!, workspace_id id!, id id!, template_id id, ladder_id id,
     action text!, user_id text!, user_username text, reason text, severity text!, ended text,
     actor_kind text!, actor_id id_or_text!, actor_username text, actor_platform_user_id text,
     revoked_by id_or_text, revoke_reason text, public_reason text, original_moderator text, source text,
     source_id text, evidence text!, evidence_files text!, comments text!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'record_in_force', 'record', ['workspace_id', 'action', 'user_id'], {
    unique: true,
    where: 'in_force = 1',
  })
  // Includes `expires_at`, so that an index-only scan can count the sanctions in force.
  await createIndex(
    tools,
    'record_in_force_by_case',
    'record',
    ['workspace_id', 'action', 'case_number', 'expires_at'],
    { where: 'in_force = 1' },
  )
  // Finds sanctions that have expired without a change.
  await createIndex(tools, 'record_by_expiry', 'record', ['workspace_id', 'expires_at'], {
    where: 'in_force = 1 and expires_at is not null',
  })
  await createIndex(tools, 'record_by_case', 'record', ['workspace_id', 'case_number'], { unique: true })
  // Partial, because only bans have a separate history.
  await createIndex(tools, 'record_bans', 'record', ['workspace_id', 'case_number'], {
    where: "action = 'ban'",
  })
  await createIndex(tools, 'record_by_player', 'record', ['workspace_id', 'user_id', 'case_number'])
  // Only those of people, because API keys create most records.
  await createIndex(tools, 'record_by_actor', 'record', ['workspace_id', 'actor_id', 'case_number'], {
    where: "actor_kind = 'account'",
  })
  // Finds the newest records of an action that people created, without reading those of API keys.
  await createIndex(tools, 'record_by_people', 'record', ['workspace_id', 'action', 'case_number'], {
    where: "actor_kind = 'account'",
  })
  // Across workspaces, because a player has nothing but the code. Not unique, because it could not be sharded then: among a million
  // codes of 50 random bits, the chance that a new one is taken is 10^-9.
  await createIndex(tools, 'record_by_appeal_code', 'record', ['appeal_code'], {
    where: 'appeal_code is not null',
  })
  await createTable(
    tools,
    'record_version',
    `workspace_id id!, record_id id!, version int32!, snapshot text!, replaced_at int!,
     replaced_by id_or_text!`,
    ['workspace_id', 'record_id', 'version'],
    { references: [{ columns: ['workspace_id', 'record_id'], to: 'record', keys: ['workspace_id', 'id'] }] },
  )
  await createTable(tools, 'redaction', 'workspace_id id!, record_id id!, redacted_at int!, stored_as text', [
    'workspace_id',
    'record_id',
  ])
  await createIndex(tools, 'redaction_by_time', 'redaction', ['workspace_id', 'redacted_at'])
  await createTable(
    tools,
    'player_name',
    'workspace_id id!, user_id text!, name text!, id int!',
    ['workspace_id', 'user_id', 'name'],
    { references: [toWorkspace], isClustered: true },
  )
  await createIndex(tools, 'player_name_by_id', 'player_name', ['id'])
  for (const statement of tools.nameIndex.create) await sql.raw(statement).execute(tools.db)
  await createTable(
    tools,
    'saved_view',
    `workspace_id id!, id id!, account_id id!, list text!, name text!, filters text!, is_shared int!,
     created_at int!, updated_at int!, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'saved_view_by_account', 'saved_view', ['workspace_id', 'account_id'])
  await createIndex(tools, 'saved_view_shared', 'saved_view', ['workspace_id', 'id'], {
    where: 'is_shared = 1',
  })
}
