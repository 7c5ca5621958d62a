import { type ColumnDataType, sql } from 'kysely'
import type { Migration, MigrationTools } from '../migration.ts'

interface Reference {
  readonly columns: readonly string[]
  readonly to: string
  readonly keys: readonly string[]
  readonly isDeletedTogether?: boolean
}

/**
 * Creates a table.
 * @param columns `name type, …`, where the type is `text`, `int` or `blob`, with `!` for not null
 * @param key the columns of the primary key
 */
async function table(
  tools: MigrationTools,
  name: string,
  columns: string,
  key: readonly string[],
  ...references: Reference[]
) {
  let builder = tools.db.schema.createTable(name)
  for (const column of columns.split(',')) {
    const [, columnName, type, notNull] = /^(\w+) (text|int|blob)(!?)$/.exec(column.trim()) ?? []
    if (columnName === undefined) throw new TypeError(`not a column: ${column}`)
    const dataType = type === 'int' ? tools.integer : type === 'blob' ? tools.blob : tools.text
    builder = builder.addColumn(columnName, dataType as ColumnDataType, (c) => (notNull ? c.notNull() : c))
  }
  builder = builder.addPrimaryKeyConstraint(`${name}_key`, key as never[])
  references.forEach(({ columns, to, keys, isDeletedTogether }, index) => {
    const constraintName = `${name}_refers_${index}`
    builder = builder.addForeignKeyConstraint(constraintName, columns as never[], to, keys as never[], (c) =>
      isDeletedTogether ? c.onDelete('cascade') : c,
    )
  })
  await tools.finish(builder).execute()
}

async function index(
  tools: MigrationTools,
  name: string,
  on: string,
  columns: readonly string[],
  options: { unique?: true; where?: string } = {},
) {
  let builder = tools.db.schema
    .createIndex(name)
    .on(on)
    .columns([...columns])
  if (options.unique) builder = builder.unique()
  if (options.where) builder = builder.where(sql.raw<boolean>(options.where))
  await builder.execute()
}

const workspaceReference: Reference = { columns: ['workspace_id'], to: 'workspace', keys: ['id'] }

/** The first schema. Every key of a tenant table begins with `workspace_id`, so that the table can be sharded by it. */
export const initial: Migration = {
  name: '0001-initial',
  async up(tools) {
    await table(
      tools,
      'account',
      `id text!, username text!, username_key text!, password_hash text!, is_operator int!,
       disabled_at int, created_at int!, updated_at int!`,
      ['id'],
    )
    await table(
      tools,
      'session',
      `id text!, token_hash text!, account_id text!, created_at int!, last_seen_at int!,
       expires_at int!, address text!, user_agent text!`,
      ['id'],
      { columns: ['account_id'], to: 'account', keys: ['id'] },
    )
    await table(tools, 'sign_in_failure', 'id text!, username_key text!, address text!, at int!', ['id'])
    await table(
      tools,
      'workspace',
      `id text!, group_name text!, group_key text!, owner_id text!, created_by text!, created_at int!,
       updated_at int!, archived_at int, monthly_quota int, version int!`,
      ['id'],
      { columns: ['owner_id'], to: 'account', keys: ['id'] },
    )
    await table(
      tools,
      'workspace_head',
      'workspace_id text!, case_number int!, audit_sequence int!, audit_hash text!',
      ['workspace_id'],
    )
    await table(
      tools,
      'role',
      `workspace_id text!, id text!, name text!, name_key text!, color text, rank int!,
       permissions text!, is_owner int!, created_at int!, updated_at int!, version int!`,
      ['workspace_id', 'id'],
      workspaceReference,
    )
    await table(
      tools,
      'member',
      'workspace_id text!, account_id text!, joined_at int!',
      ['workspace_id', 'account_id'],
      workspaceReference,
      { columns: ['account_id'], to: 'account', keys: ['id'] },
    )
    await table(
      tools,
      'member_role',
      'workspace_id text!, account_id text!, role_id text!',
      ['workspace_id', 'account_id', 'role_id'],
      { columns: ['workspace_id', 'account_id'], to: 'member', keys: ['workspace_id', 'account_id'] },
      { columns: ['workspace_id', 'role_id'], to: 'role', keys: ['workspace_id', 'id'] },
    )
    await table(
      tools,
      'api_key',
      `workspace_id text!, id text!, name text!, key_hash text!, hint text!, permissions text!,
       rank int!, allowed_addresses text, created_by text!, created_at int!, expires_at int,
       last_used_at int, last_used_address text, revoked_at int, revoked_by text`,
      ['workspace_id', 'id'],
      workspaceReference,
    )
    await table(
      tools,
      'invitation',
      `workspace_id text!, id text!, token_hash text!, role_ids text!, note text, created_by text!,
       created_at int!, expires_at int!`,
      ['workspace_id', 'id'],
      workspaceReference,
    )
    await table(
      tools,
      'endpoint_control',
      `workspace_id text!, endpoint text!, mode text!, message text, updated_at int!,
       updated_by text!`,
      ['workspace_id', 'endpoint'],
      workspaceReference,
    )
    await table(
      tools,
      'record',
      `workspace_id text!, id text!, case_number int!, action text!, user_id text!,
       user_username text, user_username_key text, reason text, severity text!, evidence text!,
       comments text!, duration_seconds int, expires_at int, ended text, in_force int!,
       actor_kind text!, actor_id text!, actor_username text, actor_platform_user_id text,
       created_at int!, updated_at int!, acknowledged_at int, revoked_at int, revoked_by text,
       revoke_reason text, redacted_at int, sequence int!, version int!`,
      ['workspace_id', 'id'],
      workspaceReference,
    )
    await table(
      tools,
      'record_version',
      `workspace_id text!, record_id text!, version int!, snapshot text!, replaced_at int!,
       replaced_by text!`,
      ['workspace_id', 'record_id', 'version'],
      { columns: ['workspace_id', 'record_id'], to: 'record', keys: ['workspace_id', 'id'] },
    )
    await table(
      tools,
      'department',
      `workspace_id text!, id text!, name text!, name_key text!, color text, description text,
       created_at int!, updated_at int!, position int!, deleted_at int, version int!`,
      ['workspace_id', 'id'],
      workspaceReference,
    )
    // Deleting a member of the workspace deletes its department memberships too.
    await table(
      tools,
      'department_member',
      'workspace_id text!, department_id text!, account_id text!, is_lead int!',
      ['workspace_id', 'department_id', 'account_id'],
      { columns: ['workspace_id', 'department_id'], to: 'department', keys: ['workspace_id', 'id'] },
      {
        columns: ['workspace_id', 'account_id'],
        to: 'member',
        keys: ['workspace_id', 'account_id'],
        isDeletedTogether: true,
      },
    )
    await table(
      tools,
      'event',
      `workspace_id text!, id text!, title text!, description text, scheduled_for int!, ends_at int!,
       published int!, event_type text!, image_url text, training_start int, training_end int,
       training_host text, experience_id text, experience_name text, experience_place_id text,
       experience_thumbnail_url text, experience_url text, created_by text!, created_at int!,
       updated_at int!, version int!`,
      ['workspace_id', 'id'],
      workspaceReference,
    )
    await table(
      tools,
      'media',
      'hash text!, extension text!, content_type text!, bytes blob!, created_at int!',
      ['hash'],
    )
    await table(
      tools,
      'archive',
      `workspace_id text!, id text!, group_name text!, created_at int!, created_by text!,
       size_bytes int!, sha256 text!, counts text!`,
      ['workspace_id', 'id'],
      workspaceReference,
    )
    await table(
      tools,
      'archive_part',
      'workspace_id text!, archive_id text!, part int!, bytes blob!',
      ['workspace_id', 'archive_id', 'part'],
      { columns: ['workspace_id', 'archive_id'], to: 'archive', keys: ['workspace_id', 'id'] },
    )
    await table(
      tools,
      'usage',
      'workspace_id text!, hour int!, endpoint text!, actor_id text!, status_class int!, calls int!',
      ['workspace_id', 'hour', 'endpoint', 'actor_id', 'status_class'],
      workspaceReference,
    )
    await table(
      tools,
      'idempotency',
      `workspace_id text!, actor_id text!, route text!, key text!, request_hash text!, status int!,
       answer text!, created_at int!`,
      ['workspace_id', 'actor_id', 'route', 'key'],
    )
    await table(
      tools,
      'audit',
      `workspace_id text!, sequence int!, id text!, at int!, actor_kind text!, actor_id text!,
       actor_name text!, action text!, target_kind text!, target_id text!, changes text,
       changes_hash text!, address text!, request_id text!, previous_hash text!, hash text!`,
      ['workspace_id', 'sequence'],
    )
    await index(tools, 'account_by_username', 'account', ['username_key'], { unique: true })
    await index(tools, 'session_by_token', 'session', ['token_hash'], { unique: true })
    await index(tools, 'session_by_account', 'session', ['account_id'])
    await index(tools, 'sign_in_failure_by_address', 'sign_in_failure', ['address', 'at'])
    await index(tools, 'sign_in_failure_by_username', 'sign_in_failure', ['username_key', 'address', 'at'])
    await index(tools, 'workspace_by_owner', 'workspace', ['owner_id'])
    await index(tools, 'role_by_name', 'role', ['workspace_id', 'name_key'], { unique: true })
    await index(tools, 'member_by_account', 'member', ['account_id'])
    await index(tools, 'member_role_by_role', 'member_role', ['workspace_id', 'role_id'])
    await index(tools, 'api_key_by_hash', 'api_key', ['key_hash'])
    await index(tools, 'invitation_by_token', 'invitation', ['token_hash'])
    await index(tools, 'record_in_force', 'record', ['workspace_id', 'action', 'user_id'], {
      unique: true,
      where: 'in_force = 1',
    })
    // Includes `expires_at`, so that an index-only scan can count the sanctions in force.
    await index(
      tools,
      'record_in_force_by_case',
      'record',
      ['workspace_id', 'action', 'case_number', 'expires_at'],
      { where: 'in_force = 1' },
    )
    await index(tools, 'record_by_case', 'record', ['workspace_id', 'case_number'], { unique: true })
    // Partial, because only bans have a separate history.
    await index(tools, 'record_bans', 'record', ['workspace_id', 'case_number'], { where: "action = 'ban'" })
    await index(tools, 'record_by_player', 'record', ['workspace_id', 'user_id', 'case_number'])
    await index(tools, 'record_by_name', 'record', ['workspace_id', 'user_username_key', 'user_id'], {
      where: 'user_username_key is not null',
    })
    await index(tools, 'record_by_actor', 'record', ['workspace_id', 'actor_id', 'case_number'])
    // For the records that were redacted after an archive was created: few of many.
    await index(tools, 'record_redacted', 'record', ['workspace_id', 'redacted_at'], {
      where: 'redacted_at is not null',
    })
    await index(tools, 'department_by_name', 'department', ['workspace_id', 'name_key'], {
      unique: true,
      where: 'deleted_at is null',
    })
    await index(tools, 'department_member_by_account', 'department_member', ['workspace_id', 'account_id'])
    await index(tools, 'event_by_time', 'event', ['workspace_id', 'scheduled_for', 'id'])
    await index(tools, 'idempotency_by_age', 'idempotency', ['created_at'])
    await index(tools, 'audit_by_target', 'audit', ['workspace_id', 'target_id', 'sequence'])
  },
}
