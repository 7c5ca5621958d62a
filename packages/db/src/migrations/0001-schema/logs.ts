import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** What happened in a workspace: changes, requests and stored responses. */
export async function createLogTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'workspace_head',
    `workspace_id id!, case_number int32!, audit_sequence int32!, history int32!, feed_from int32!, audit_hash hash!,
     record_bytes int!, image_bytes int!, evidence_bytes int!, archive_bytes int!, response_bytes int!, storage_counted_at int!`,
    ['workspace_id'],
  )
  await createTable(
    tools,
    'audit',
    `at int!, sequence int32!, workspace_id id!, id id!, actor_kind text!, actor_id id_or_text!,
     actor_name text!, actor_name_hash hash, action text!, target_kind text!, target_id id_or_text!,
     changes compact_json, changes_hash hash, blanked_changes_hash hash, address text!, request_id id_or_text!, hash hash!`,
    ['workspace_id', 'sequence'],
  )
  await createIndex(tools, 'audit_by_target', 'audit', ['workspace_id', 'target_id', 'sequence'])
  await createTable(
    tools,
    'usage',
    'workspace_id id!, hour int!, endpoint text!, actor_id id_or_text!, status_class int!, calls int!',
    ['workspace_id', 'hour', 'endpoint', 'actor_id', 'status_class'],
    { references: [toWorkspace] },
  )
  await createTable(
    tools,
    'idempotency',
    `workspace_id id!, actor_id id_or_text!, route text!, key text!, request_hash hash!, status int!,
     answer text!, created_at int!`,
    ['workspace_id', 'actor_id', 'route', 'key'],
  )
  await createIndex(tools, 'idempotency_by_age', 'idempotency', ['created_at'])
  await createTable(tools, 'activity', 'workspace_id id!, action text!, quarter int!, count int!', [
    'workspace_id',
    'action',
    'quarter',
  ])
  await createTable(
    tools,
    'activity_by_actor',
    `workspace_id id!, quarter int!, actor_kind text!, actor_id id_or_text!, action text!,
     actor_name text!, count int!`,
    ['workspace_id', 'quarter', 'actor_kind', 'actor_id', 'action'],
  )
  await createTable(tools, 'activity_progress', 'workspace_id id!, sequence int32!', ['workspace_id'])
}
