import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** Imports from other tools, with the file while it is needed, and what happened to its entries. */
export async function createImportTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'import',
    `workspace_id id!, id id!, format text!, source text!, conflicts text!, is_dry_run int!, keeps_ip int!,
     columns text, default_action text!, file_name text!, size_bytes int!, received_bytes int!, part_count int32!,
     state text!, error text, position int!, read_bytes int!, created_count int!, known_count int!, skipped_count int!,
     merged_count int!, superseded_count int!, unreadable_count int!, has_parts int!, actor text!, runner text, heartbeat_at int,
     created_at int!, started_at int, finished_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  // Per workspace at most one that is unfinished, whatever races.
  await createIndex(tools, 'import_unfinished', 'import', ['workspace_id'], {
    unique: true,
    where: 'finished_at is null',
  })
  await createIndex(tools, 'import_by_state', 'import', ['state', 'id'], { where: 'finished_at is null' })
  await createIndex(tools, 'import_by_finish', 'import', ['finished_at'], {
    where: 'finished_at is not null',
  })
  await createIndex(tools, 'import_with_parts', 'import', ['has_parts'], {
    where: 'has_parts = 1',
  })
  await createTable(tools, 'import_part', 'workspace_id id!, import_id id!, part int32!, bytes blob!', [
    'workspace_id',
    'import_id',
    'part',
  ])
  await createTable(
    tools,
    'import_issue',
    'workspace_id id!, import_id id!, number int!, line int!, outcome text!, message text!',
    ['workspace_id', 'import_id', 'number'],
  )
  await createIndex(tools, 'import_issue_by_outcome', 'import_issue', [
    'workspace_id',
    'import_id',
    'outcome',
    'number',
  ])
  // Partial, because records that were created here have no source.
  await createIndex(tools, 'record_by_source', 'record', ['workspace_id', 'source', 'source_id'], {
    unique: true,
    where: 'source is not null',
  })
}
