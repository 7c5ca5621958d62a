import { sql } from 'kysely'
import type { Migration, MigrationTools } from '../migration.ts'
import { createIndex, createTable, type Reference } from './create-table.ts'

const toWorkspace: Reference = { columns: ['workspace_id'], to: 'workspace', keys: ['id'] }
const toAccount: Reference = { columns: ['account_id'], to: 'account', keys: ['id'] }
const toArchive: Reference = {
  columns: ['workspace_id', 'archive_id'],
  to: 'archive',
  keys: ['workspace_id', 'id'],
}
const toMember: Reference = {
  columns: ['workspace_id', 'account_id'],
  to: 'member',
  keys: ['workspace_id', 'account_id'],
}

/** The schema of version 1.0.0. Every key of a tenant table begins with `workspace_id`, so that the table can be sharded by it. */
export const schema: Migration = {
  name: '0001-schema',
  async up(tools) {
    await createInstanceTables(tools)
    await createAccessTables(tools)
    await createModerationTables(tools)
    await createContentTables(tools)
    await createLogTables(tools)
    await createJobTables(tools)
  },
}

/** Tables of the instance, which belong to no workspace, and the workspaces themselves. */
async function createInstanceTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'account',
    `id id!, username text!, username_key text!, password_hash text, is_operator int!,
     disabled_at int, created_at int!, updated_at int!`,
    ['id'],
  )
  await createIndex(tools, 'account_by_username', 'account', ['username_key'], { unique: true })
  await createTable(
    tools,
    'session',
    `id id!, token_hash hash!, account_id id!, created_at int!, last_seen_at int!, expires_at int!,
     address text!, user_agent text!`,
    ['id'],
    { references: [toAccount] },
  )
  await createIndex(tools, 'session_by_token', 'session', ['token_hash'], { unique: true })
  await createIndex(tools, 'session_by_account', 'session', ['account_id'])
  await createIndex(tools, 'session_by_expiry', 'session', ['expires_at'])
  await createIndex(tools, 'session_by_last_use', 'session', ['last_seen_at'])
  await createTable(
    tools,
    'sign_in_attempt',
    'id id!, username_key text!, address text!, credential text!, has_succeeded int!, at int!',
    ['id'],
  )
  await createIndex(tools, 'sign_in_attempt_by_address', 'sign_in_attempt', ['address', 'at'])
  await createIndex(tools, 'sign_in_attempt_by_username', 'sign_in_attempt', [
    'username_key',
    'address',
    'at',
  ])
  await createIndex(tools, 'sign_in_attempt_by_credential', 'sign_in_attempt', ['credential', 'at'])
  await createIndex(tools, 'sign_in_attempt_by_age', 'sign_in_attempt', ['at'])
  await createTable(tools, 'instance_secret', 'name text!, value text!', ['name'])
  await createTable(tools, 'job', 'name text!, begun_at int!', ['name'])
  // The bytes are null where an external image store has them.
  await createTable(
    tools,
    'media',
    'hash text!, extension text!, content_type text!, bytes blob, created_at int!, size_bytes int',
    ['hash'],
  )
  await createTable(tools, 'unused_image', 'hash text!, found_at int!', ['hash'])
  await createTable(
    tools,
    'workspace',
    `id id!, group_name text!, group_key text!, owner_id id!, created_by id_or_text!, created_at int!,
     updated_at int!, archived_at int, monthly_quota int, storage_quota int, profile_url text,
     hidden text, version int!`,
    ['id'],
    { references: [{ ...toAccount, columns: ['owner_id'] }] },
  )
  await createIndex(tools, 'workspace_by_owner', 'workspace', ['owner_id'])
  await createIndex(tools, 'workspace_hidden', 'workspace', ['hidden'], { where: 'hidden is not null' })
}

/** Who may do what in a workspace. */
async function createAccessTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'role',
    `workspace_id id!, id id!, name text!, name_key text!, color text, rank int!, permissions text!,
     is_owner int!, created_at int!, updated_at int!, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'role_by_name', 'role', ['workspace_id', 'name_key'], { unique: true })
  await createTable(
    tools,
    'member',
    'workspace_id id!, account_id id!, joined_at int!',
    ['workspace_id', 'account_id'],
    { references: [toWorkspace, toAccount] },
  )
  await createIndex(tools, 'member_by_account', 'member', ['account_id'])
  await createTable(
    tools,
    'member_role',
    'workspace_id id!, account_id id!, role_id id!',
    ['workspace_id', 'account_id', 'role_id'],
    {
      references: [
        toMember,
        { columns: ['workspace_id', 'role_id'], to: 'role', keys: ['workspace_id', 'id'] },
      ],
    },
  )
  await createIndex(tools, 'member_role_by_role', 'member_role', ['workspace_id', 'role_id'])
  await createTable(
    tools,
    'api_key',
    `workspace_id id!, id id!, name text!, key_hash hash!, hint text!, permissions text!, rank int!,
     allowed_addresses text, created_by id_or_text!, created_at int!, expires_at int, last_used_at int,
     last_used_address text, revoked_at int, revoked_by id_or_text`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'api_key_by_hash', 'api_key', ['key_hash'])
  await createTable(
    tools,
    'invitation',
    `workspace_id id!, id id!, token_hash hash!, role_ids text!, note text, created_by id_or_text!,
     created_at int!, expires_at int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'invitation_by_token', 'invitation', ['token_hash'])
  await createIndex(tools, 'invitation_by_expiry', 'invitation', ['expires_at'])
  await createTable(
    tools,
    'endpoint_control',
    `workspace_id id!, endpoint text!, mode text!, message text, updated_at int!, updated_by id_or_text!`,
    ['workspace_id', 'endpoint'],
    { references: [toWorkspace] },
  )
}

async function createModerationTables(tools: MigrationTools): Promise<void> {
  // Numbers first, because PostgreSQL aligns them, and long texts last, because most statements do not read them.
  await createTable(
    tools,
    'record',
    `created_at int!, updated_at int!, expires_at int, acknowledged_at int, revoked_at int,
     redacted_at int, duration_seconds int, case_number int32!, sequence int32!, version int32!,
     in_force int32!, evidence_count int32!, comment_count int32!, workspace_id id!, id id!,
     action text!, user_id text!, user_username text, reason text, severity text!, ended text,
     actor_kind text!, actor_id id_or_text!, actor_username text, actor_platform_user_id text,
     revoked_by id_or_text, revoke_reason text, evidence text!, comments text!`,
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
  await createTable(
    tools,
    'record_version',
    `workspace_id id!, record_id id!, version int32!, snapshot text!, replaced_at int!,
     replaced_by id_or_text!`,
    ['workspace_id', 'record_id', 'version'],
    { references: [{ columns: ['workspace_id', 'record_id'], to: 'record', keys: ['workspace_id', 'id'] }] },
  )
  await createTable(tools, 'redaction', 'workspace_id id!, record_id id!, redacted_at int!', [
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

/** Departments, events and archives. */
async function createContentTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'department',
    `workspace_id id!, id id!, name text!, name_key text!, color text, description text,
     created_at int!, updated_at int!, position int!, deleted_at int, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'department_by_name', 'department', ['workspace_id', 'name_key'], {
    unique: true,
    where: 'deleted_at is null',
  })
  // Deleting a member of the workspace deletes its department memberships too.
  await createTable(
    tools,
    'department_member',
    'workspace_id id!, department_id id!, account_id id!, is_lead int!',
    ['workspace_id', 'department_id', 'account_id'],
    {
      references: [
        { columns: ['workspace_id', 'department_id'], to: 'department', keys: ['workspace_id', 'id'] },
        { ...toMember, isDeletedTogether: true },
      ],
    },
  )
  await createIndex(tools, 'department_member_by_account', 'department_member', [
    'workspace_id',
    'account_id',
  ])
  await createTable(
    tools,
    'event',
    `workspace_id id!, id id!, title text!, description text, scheduled_for int!, ends_at int!,
     published int!, event_type text!, image_url text, training_start int, training_end int,
     training_host text, host_account_id id, experience_id text, experience_name text,
     experience_place_id text, experience_thumbnail_url text, experience_url text,
     created_by id_or_text!, created_at int!, updated_at int!, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'event_by_time', 'event', ['workspace_id', 'scheduled_for', 'id'])
  await createIndex(tools, 'event_by_image', 'event', ['image_url', 'workspace_id'], {
    where: 'image_url is not null',
  })
  await createTable(
    tools,
    'archive',
    `workspace_id id!, id id!, group_name text!, created_at int!, created_by id_or_text!,
     size_bytes int!, sha256 text!, counts text!, ready_at int, deleted_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'archive_deleted', 'archive', ['deleted_at'], { where: 'deleted_at is not null' })
  await createTable(
    tools,
    'archive_part',
    'workspace_id id!, archive_id id!, part int!, bytes blob!',
    ['workspace_id', 'archive_id', 'part'],
    {
      references: [toArchive],
    },
  )
  await createTable(
    tools,
    'archive_image',
    'workspace_id id!, archive_id id!, hash text!',
    ['workspace_id', 'archive_id', 'hash'],
    { references: [{ ...toArchive, isDeletedTogether: true }] },
  )
  await createIndex(tools, 'archive_image_by_hash', 'archive_image', ['hash'])
}

/** What happened in a workspace: changes, requests and stored responses. */
async function createLogTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'workspace_head',
    `workspace_id id!, case_number int32!, audit_sequence int32!, audit_hash hash!, record_bytes int!,
     image_bytes int!, archive_bytes int!, response_bytes int!, storage_counted_at int!`,
    ['workspace_id'],
  )
  await createTable(
    tools,
    'audit',
    `at int!, sequence int32!, workspace_id id!, id id!, actor_kind text!, actor_id id_or_text!,
     actor_name text!, action text!, target_kind text!, target_id id_or_text!, changes compact_json,
     changes_hash hash!, address text!, request_id id_or_text!, hash hash!`,
    ['workspace_id', 'sequence'],
  )
  await createIndex(tools, 'audit_by_target', 'audit', ['workspace_id', 'target_id', 'sequence'])
  await createTable(
    tools,
    'usage',
    'workspace_id id!, hour int!, endpoint text!, actor_id id_or_text!, status_class int!, calls int!',
    ['workspace_id', 'hour', 'endpoint', 'actor_id', 'status_class'],
    { references: [toWorkspace] },
  )
  await createTable(
    tools,
    'idempotency',
    `workspace_id id!, actor_id id_or_text!, route text!, key text!, request_hash hash!, status int!,
     answer text!, created_at int!`,
    ['workspace_id', 'actor_id', 'route', 'key'],
  )
  await createIndex(tools, 'idempotency_by_age', 'idempotency', ['created_at'])
  await createTable(tools, 'activity', 'workspace_id id!, action text!, quarter int!, count int!', [
    'workspace_id',
    'action',
    'quarter',
  ])
  await createTable(
    tools,
    'activity_by_actor',
    `workspace_id id!, quarter int!, actor_kind text!, actor_id id_or_text!, action text!,
     actor_name text!, count int!`,
    ['workspace_id', 'quarter', 'actor_kind', 'actor_id', 'action'],
  )
  await createTable(tools, 'activity_progress', 'workspace_id id!, sequence int32!', ['workspace_id'])
}

/** Work on whole workspaces, and the changes that a roll-back has found and not yet applied. */
async function createJobTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'workspace_job',
    `workspace_id id!, id id!, kind text!, state text!, step text!, done int!, total int!, position text,
     actor text!, group_name text, archive_id id, new_archive_id id, new_workspace_id id, error text,
     has_staged_rows int!, runner text, heartbeat_at int, created_at int!, started_at int, finished_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'workspace_job_by_state', 'workspace_job', ['state', 'id'])
  await createIndex(tools, 'workspace_job_by_finish', 'workspace_job', ['finished_at'], {
    where: 'finished_at is not null',
  })
  // Per workspace at most one that is unfinished, whatever races.
  await createIndex(tools, 'workspace_job_unfinished', 'workspace_job', ['workspace_id'], {
    unique: true,
    where: 'finished_at is null',
  })
  await createIndex(tools, 'workspace_job_staged', 'workspace_job', ['has_staged_rows'], {
    where: 'has_staged_rows = 1',
  })
  await createTable(
    tools,
    'workspace_job_row',
    'workspace_id id!, job_id id!, number int!, kind text!, user_id text, target_id id, data text',
    ['workspace_id', 'job_id', 'number'],
  )
  await createIndex(tools, 'workspace_job_row_by_kind', 'workspace_job_row', [
    'workspace_id',
    'job_id',
    'kind',
    'user_id',
    'number',
  ])
  await createIndex(tools, 'workspace_job_row_by_target', 'workspace_job_row', [
    'workspace_id',
    'job_id',
    'target_id',
  ])
}
