import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** Webhooks, and what is sent to them. */
export async function createWebhookTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'webhook',
    `workspace_id id!, id id!, name text!, kind text!, url text!, secret text, previous_secret text,
     previous_secret_until int, events text!, state text!, state_reason text, active_since int!,
     failures int!, failing_since int, last_success_at int, last_failure_at int, last_status int,
     last_error text, hold_until int!, next_due_at int, created_by id_or_text!, created_at int!,
     updated_at int!, deleted_at int, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'webhook_due', 'webhook', ['next_due_at'], { where: 'next_due_at is not null' })
  await createIndex(tools, 'webhook_deleted', 'webhook', ['deleted_at'], { where: 'deleted_at is not null' })
  await createTable(
    tools,
    'delivery',
    `workspace_id id!, id id!, target_id id!, kind text!, resource_id id_or_text, payload text, state text!,
     attempt int!, due_at int!, leased_until int, leased_by text, last_status int, last_error text,
     response text, duration_ms int, message_id text, created_at int!, done_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'delivery_due', 'delivery', ['workspace_id', 'target_id', 'due_at'], {
    where: 'done_at is null',
  })
  // At most as many as are sent at once.
  await createIndex(tools, 'delivery_leased', 'delivery', ['workspace_id', 'target_id', 'leased_until'], {
    where: 'leased_until is not null',
  })
  await createIndex(tools, 'delivery_by_target', 'delivery', ['workspace_id', 'target_id', 'id'])
  await createIndex(tools, 'delivery_by_state', 'delivery', ['workspace_id', 'target_id', 'state', 'id'])
  await createIndex(tools, 'delivery_by_resource', 'delivery', ['workspace_id', 'resource_id'], {
    where: 'resource_id is not null',
  })
  await createIndex(tools, 'delivery_done', 'delivery', ['done_at'], { where: 'done_at is not null' })
  await createTable(
    tools,
    'delivery_cursor',
    'workspace_id id!, consumer text!, sequence int!, epoch text!, expired_until int!',
    ['workspace_id', 'consumer'],
    { references: [toWorkspace] },
  )
}
