import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toAccount } from './references.ts'

/** How accounts sign in besides passwords, and how they prove who they are again. */
export async function createSignInTables(tools: MigrationTools): Promise<void> {
  const ofAccount = { references: [{ ...toAccount, isDeletedTogether: true }] }
  await createTable(
    tools,
    'passkey',
    `account_id id!, id id!, rp_id text!, credential_id text!, public_key blob!, counter int!, transports text!,
     is_backed_up int!, aaguid text!, name text!, created_at int!, last_used_at int`,
    ['account_id', 'id'],
    ofAccount,
  )
  await createIndex(tools, 'passkey_by_credential', 'passkey', ['credential_id'], { unique: true })
  await createTable(
    tools,
    'totp',
    'account_id id!, secret text!, last_step int!, used_steps text!, created_at int!, last_used_at int',
    ['account_id'],
    ofAccount,
  )
  await createTable(
    tools,
    'recovery_code',
    'account_id id!, code_hash hash!, created_at int!',
    ['account_id', 'code_hash'],
    ofAccount,
  )
  await createTable(
    tools,
    'account_identity',
    `issuer text!, subject text!, account_id id!, provider text!, name text, created_at int!, last_used_at int`,
    ['issuer', 'subject'],
    ofAccount,
  )
  // Finds the member who is a player, by their id on the game platform.
  await createIndex(tools, 'account_identity_by_subject', 'account_identity', ['subject'])
  // An account has at most one identity of each issuer.
  await createIndex(tools, 'account_identity_by_account', 'account_identity', ['account_id', 'issuer'], {
    unique: true,
  })
  await createTable(
    tools,
    'one_time_token',
    'token_hash hash!, purpose text!, account_id id, data text!, created_at int!, expires_at int!',
    ['token_hash'],
    ofAccount,
  )
  await createIndex(tools, 'one_time_token_by_account', 'one_time_token', ['account_id', 'purpose'])
  await createIndex(tools, 'one_time_token_by_expiry', 'one_time_token', ['expires_at'])
  await createTable(
    tools,
    'known_device',
    'account_id id!, token_hash hash!, created_at int!, last_seen_at int!',
    ['account_id', 'token_hash'],
    ofAccount,
  )
  await createIndex(tools, 'known_device_by_last_use', 'known_device', ['last_seen_at'])
  await createTable(
    tools,
    'mail',
    `id id!, account_id id, kind text!, content text!, attempts int!, created_at int!, expires_at int!,
     due_at int, ended_at int, problem text`,
    ['id'],
    ofAccount,
  )
  await createIndex(tools, 'mail_by_due_time', 'mail', ['due_at'], { where: 'due_at is not null' })
  await createIndex(tools, 'mail_by_account', 'mail', ['account_id', 'kind', 'created_at'])
  await createIndex(tools, 'mail_by_end', 'mail', ['ended_at'], { where: 'ended_at is not null' })
}
