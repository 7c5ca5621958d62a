import type { MigrationTools } from '../../migration.ts'
import { createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** After how many days records are deleted, and the last run that deleted some. */
export async function createRetentionTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'retention',
    `workspace_id id!, note_days int32, warn_days int32, kick_days int32, mute_days int32, ban_days int32,
     updated_at int!, version int32!`,
    ['workspace_id'],
    { references: [toWorkspace] },
  )
  await createTable(
    tools,
    'retention_run',
    `workspace_id id!, day int32!, position int32!, note_count int32!, warn_count int32!, kick_count int32!,
     mute_count int32!, ban_count int32!, appeal_count int32!, finished_at int`,
    ['workspace_id'],
    { references: [toWorkspace] },
  )
}
