import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toAccount } from './references.ts'

/** Tables of the instance, which belong to no workspace, and the workspaces themselves. */
export async function createInstanceTables(tools: MigrationTools): Promise<void> {
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
