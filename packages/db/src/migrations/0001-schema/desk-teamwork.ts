import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable, type Reference } from '../create-table.ts'
import { toWorkspace } from './references.ts'

const toRecord: Reference = {
  columns: ['workspace_id', 'record_id'],
  to: 'record',
  keys: ['workspace_id', 'id'],
  isDeletedTogether: true,
}

/** How staff share the work on cases: who works on what, who was mentioned, and what is known about a player. */
export async function createTeamworkTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'claim',
    'workspace_id id!, target_kind text!, target_id id!, account_id id!, claimed_at int!, expires_at int!',
    ['workspace_id', 'target_kind', 'target_id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'claim_by_account', 'claim', ['workspace_id', 'account_id', 'expires_at'])
  await createTable(
    tools,
    'assignment',
    'workspace_id id!, record_id id!, account_id id!, assigned_by id_or_text!, assigned_at int!',
    ['workspace_id', 'record_id'],
    { references: [toRecord] },
  )
  await createIndex(tools, 'assignment_by_account', 'assignment', [
    'workspace_id',
    'account_id',
    'assigned_at',
    'record_id',
  ])
  await createTable(
    tools,
    'mention',
    `workspace_id id!, id id!, account_id id!, record_id id!, comment_id id!, author_id id_or_text!,
     created_at int!, read_at int`,
    ['workspace_id', 'id'],
    { references: [toRecord] },
  )
  await createIndex(tools, 'mention_by_account', 'mention', ['workspace_id', 'account_id', 'id'])
  await createIndex(tools, 'mention_unread', 'mention', ['workspace_id', 'account_id', 'id'], {
    where: 'read_at is null',
  })
  await createIndex(tools, 'mention_by_record', 'mention', ['workspace_id', 'record_id', 'account_id'])
  await createTable(
    tools,
    'pinned_note',
    `workspace_id id!, id id!, user_id text!, record_id id, text text, created_by id_or_text!,
     created_at int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace, toRecord] },
  )
  await createIndex(tools, 'pinned_note_by_player', 'pinned_note', ['workspace_id', 'user_id', 'id'])
  await createIndex(tools, 'pinned_note_by_record', 'pinned_note', ['workspace_id', 'record_id'], {
    unique: true,
    where: 'record_id is not null',
  })
  // The ids of a pair are in order, so that two players have one link at most.
  await createTable(
    tools,
    'player_link',
    `workspace_id id!, id id!, first_user_id text!, second_user_id text!, confidence text!, reason text!,
     created_by id_or_text!, created_at int!, updated_at int!, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(
    tools,
    'player_link_by_pair',
    'player_link',
    ['workspace_id', 'first_user_id', 'second_user_id'],
    { unique: true },
  )
  await createIndex(tools, 'player_link_by_second', 'player_link', [
    'workspace_id',
    'second_user_id',
    'first_user_id',
  ])
}
