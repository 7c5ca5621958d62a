import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** Work on whole workspaces, and the changes that a roll-back has found and not yet applied. */
export async function createJobTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'workspace_job',
    `workspace_id id!, id id!, kind text!, state text!, step text!, done int!, total int!, position text,
     actor text!, group_name text, archive_id id, new_archive_id id, new_workspace_id id, error text,
     has_staged_rows int!, runner text, heartbeat_at int, created_at int!, started_at int, finished_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'workspace_job_by_state', 'workspace_job', ['state', 'id'])
  await createIndex(tools, 'workspace_job_by_finish', 'workspace_job', ['finished_at'], {
    where: 'finished_at is not null',
  })
  // Per workspace at most one that is unfinished, whatever races.
  await createIndex(tools, 'workspace_job_unfinished', 'workspace_job', ['workspace_id'], {
    unique: true,
    where: 'finished_at is null',
  })
  await createIndex(tools, 'workspace_job_staged', 'workspace_job', ['has_staged_rows'], {
    where: 'has_staged_rows = 1',
  })
  await createTable(
    tools,
    'workspace_job_row',
    'workspace_id id!, job_id id!, number int!, kind text!, user_id text, target_id id, data text',
    ['workspace_id', 'job_id', 'number'],
  )
  await createIndex(tools, 'workspace_job_row_by_kind', 'workspace_job_row', [
    'workspace_id',
    'job_id',
    'kind',
    'user_id',
    'number',
  ])
  await createIndex(tools, 'workspace_job_row_by_target', 'workspace_job_row', [
    'workspace_id',
    'job_id',
    'target_id',
  ])
}
