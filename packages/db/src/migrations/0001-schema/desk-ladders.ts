import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** Reason templates and escalation ladders. Called after the table of records exists. */
export async function createLadderTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'ladder',
    `workspace_id id!, id id!, name text!, name_key text!, window_days int, steps text!, created_at int!,
     updated_at int!, archived_at int, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createTable(
    tools,
    'template',
    `workspace_id id!, id id!, name text!, name_key text!, public_reason text!, default_severity text,
     is_appealable int!, appeal_after_days int!, ladder_id id, position int!, created_at int!,
     updated_at int!, archived_at int, version int!`,
    ['workspace_id', 'id'],
    {
      references: [
        toWorkspace,
        { columns: ['workspace_id', 'ladder_id'], to: 'ladder', keys: ['workspace_id', 'id'] },
      ],
    },
  )
  for (const table of ['ladder', 'template'])
    await createIndex(tools, `${table}_by_name`, table, ['workspace_id', 'name_key'], {
      unique: true,
      where: 'archived_at is null',
    })
  await createIndex(tools, 'template_by_position', 'template', ['workspace_id', 'position', 'id'])
  await createIndex(tools, 'template_by_ladder', 'template', ['workspace_id', 'ladder_id'])
  await createTable(
    tools,
    'rule_version',
    `workspace_id id!, rule_id id!, version int32!, snapshot text!, replaced_at int!,
     replaced_by id_or_text!`,
    ['workspace_id', 'rule_id', 'version'],
    { references: [toWorkspace] },
  )
  // The records of a player that count in a ladder.
  await createIndex(
    tools,
    'record_by_ladder',
    'record',
    ['workspace_id', 'user_id', 'ladder_id', 'created_at'],
    { where: 'ladder_id is not null and revoked_at is null' },
  )
}
