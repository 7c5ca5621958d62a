import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** Requests to erase a player. */
export async function createErasureTable(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'erasure',
    `workspace_id id!, id id!, mode text!, user_ids text, reason text!, actor text!, step int!, position int,
     counts text!, mentioned_in text!, first_at int, created_at int!, finished_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  // Per workspace at most one that is unfinished, whatever races.
  await createIndex(tools, 'erasure_unfinished', 'erasure', ['workspace_id'], {
    unique: true,
    where: 'finished_at is null',
  })
}
