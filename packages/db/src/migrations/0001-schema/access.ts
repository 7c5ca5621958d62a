import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toAccount, toMember, toWorkspace } from './references.ts'

/** Who may do what in a workspace. */
export async function createAccessTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'role',
    `workspace_id id!, id id!, name text!, name_key text!, color text, rank int!, permissions text!,
     limits text, is_owner int!, second_factor_since int, created_at int!, updated_at int!, version int!`,
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
    'workspace_id id!, account_id id!, role_id id!, assigned_at int!',
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
    'former_member',
    'workspace_id id!, account_id id!, left_at int!, blank_sequence int32, blanked_at int',
    ['workspace_id', 'account_id'],
    { references: [toWorkspace, toAccount] },
  )
  await createIndex(tools, 'former_member_to_blank', 'former_member', ['workspace_id', 'account_id'], {
    where: 'blank_sequence is not null and blanked_at is null',
  })
  await createTable(
    tools,
    'api_key',
    `workspace_id id!, id id!, name text!, key_hash hash!, hint text!, permissions text!, rank int!, limits text,
     allowed_addresses text, created_by id_or_text!, created_at int!, expires_at int, last_used_at int,
     last_used_address text, revoked_at int, revoked_by id_or_text, restored_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'api_key_by_hash', 'api_key', ['key_hash'])
  await createIndex(tools, 'api_key_by_creator', 'api_key', ['created_by'])
  await createTable(
    tools,
    'invitation',
    `workspace_id id!, id id!, token_hash hash, invitee_name text, invitee_id id, role_ids text!, note text,
     created_by id_or_text!, created_at int!, expires_at int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'invitation_by_token', 'invitation', ['token_hash'])
  await createIndex(tools, 'invitation_by_invitee', 'invitation', ['invitee_id', 'id'], {
    where: 'invitee_id is not null',
  })
  await createIndex(tools, 'invitation_by_expiry', 'invitation', ['expires_at'])
  await createTable(
    tools,
    'endpoint_control',
    `workspace_id id!, endpoint text!, mode text!, message text, updated_at int!, updated_by id_or_text!`,
    ['workspace_id', 'endpoint'],
    { references: [toWorkspace] },
  )
}
