import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toMember, toWorkspace } from './references.ts'

/** What the limits of roles need: requests for approval, the bans that count against the number per hour, and the players who are members. */
export async function createLimitTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'approval',
    `workspace_id id!, id id!, record_id id!, user_id text!, duration_seconds int, expires_at int!,
     fallback_expires_at int, person_id id_or_text!, requested_at int!, decision text, decided_at int,
     decided_by id_or_text`,
    ['workspace_id', 'id'],
    {
      references: [
        {
          columns: ['workspace_id', 'record_id'],
          to: 'record',
          keys: ['workspace_id', 'id'],
          isDeletedTogether: true,
        },
      ],
    },
  )
  await createIndex(tools, 'approval_by_record', 'approval', ['workspace_id', 'record_id'], { unique: true })
  await createIndex(tools, 'approval_undecided', 'approval', ['workspace_id', 'expires_at', 'id'], {
    where: 'decision is null',
  })
  await createIndex(tools, 'approval_decided', 'approval', ['workspace_id', 'decision', 'id'], {
    where: 'decision is not null',
  })
  await createIndex(tools, 'approval_by_person', 'approval', ['workspace_id', 'person_id', 'user_id', 'id'])
  await createTable(
    tools,
    'recent_ban',
    'workspace_id id!, person_id id_or_text!, banned_at int!, record_id id!',
    ['workspace_id', 'person_id', 'banned_at', 'record_id'],
    { references: [toWorkspace] },
  )
  await createTable(
    tools,
    'member_player',
    'workspace_id id!, user_id text!, account_id id!, linked_at int!',
    ['workspace_id', 'user_id'],
    { references: [{ ...toMember, isDeletedTogether: true }] },
  )
  await createIndex(tools, 'member_player_by_account', 'member_player', ['workspace_id', 'account_id'])
}
