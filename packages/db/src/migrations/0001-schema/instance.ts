import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toAccount } from './references.ts'

/** Tables of the instance, which belong to no workspace, and the workspaces themselves. */
export async function createInstanceTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'account',
    `id id!, username text!, username_key text!, username_skeleton text!, password_hash text, is_operator int!,
     email text, email_key text, user_handle text, disabled_at int, created_at int!, updated_at int!`,
    ['id'],
  )
  await createIndex(tools, 'account_by_username', 'account', ['username_key'], { unique: true })
  await createIndex(tools, 'account_by_skeleton', 'account', ['username_skeleton'], { unique: true })
  await createIndex(tools, 'account_by_email', 'account', ['email_key'], { where: 'email_key is not null' })
  await createTable(
    tools,
    'session',
    `id id!, token_hash hash!, account_id id!, created_at int!, last_seen_at int!, expires_at int!,
     address text!, user_agent text!, factors text!, verified_at int!`,
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
    `id id!, username_key text!, address text!, network_56 text!, network_48 text!, credential text!,
     has_succeeded int!, at int!`,
    ['id'],
  )
  await createIndex(tools, 'sign_in_attempt_by_address', 'sign_in_attempt', ['address', 'at'])
  await createIndex(tools, 'sign_in_attempt_by_username', 'sign_in_attempt', [
    'username_key',
    'address',
    'at',
  ])
  for (const network of ['network_56', 'network_48'])
    await createIndex(tools, `sign_in_attempt_by_${network}`, 'sign_in_attempt', [network, 'at'])
  await createIndex(tools, 'sign_in_attempt_by_failure', 'sign_in_attempt', [
    'username_key',
    'has_succeeded',
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
     updated_at int!, archived_at int, delete_at int, monthly_quota int, storage_quota int, profile_url text,
     approval_hours int, platforms text, pseudonym_key text, second_factor_permissions text, second_factor_grace_days int,
     hidden text, version int!`,
    ['id'],
    { references: [{ ...toAccount, columns: ['owner_id'] }] },
  )
  await createIndex(tools, 'workspace_by_owner', 'workspace', ['owner_id'])
  await createIndex(tools, 'workspace_hidden', 'workspace', ['hidden'], { where: 'hidden is not null' })
  await createIndex(tools, 'workspace_by_deletion', 'workspace', ['delete_at', 'id'], {
    where: 'delete_at is not null',
  })
  await createTable(
    tools,
    'deleted_workspace',
    'id id!, deleted_workspace_id id!, group_name text!, owner_id id!, deleted_at int!, finished_at int',
    ['id'],
    { references: [{ ...toAccount, columns: ['owner_id'] }] },
  )
  await createIndex(tools, 'deleted_workspace_unfinished', 'deleted_workspace', ['id'], {
    where: 'finished_at is null',
  })
  await createTable(
    tools,
    'workspace_report',
    `id id!, reported_workspace_id id!, group_name text!, reporter_id id!, message text!, created_at int!,
     resolved_at int, resolved_by id_or_text`,
    ['id'],
    { references: [{ ...toAccount, columns: ['reporter_id'] }] },
  )
  await createIndex(tools, 'workspace_report_open', 'workspace_report', ['id'], {
    where: 'resolved_at is null',
  })
  await createIndex(tools, 'workspace_report_by_reporter', 'workspace_report', ['reporter_id'], {
    where: 'resolved_at is null',
  })
}
