import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable } from '../create-table.ts'
import { toWorkspace } from './references.ts'

/** Batches of moderation actions. */
export async function createBatchTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'batch',
    `workspace_id id!, id id!, kind text!, state text!, action text, input text, target_actor_id id_or_text,
     since int, until_sequence int, reverses_id id, reversed_by_id id, actor text!, position int,
     total int32!, succeeded int32!, unchanged int32!, failed int32!, error text, runner text,
     heartbeat_at int, created_at int!, started_at int, finished_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'batch_unfinished', 'batch', ['id'], { where: 'finished_at is null' })
  await createTable(
    tools,
    'batch_item',
    `workspace_id id!, batch_id id!, number int!, target text!, reverses_from int, reverses_to int,
     state text!, record_id id, from_sequence int, to_sequence int, code text, message text`,
    ['workspace_id', 'batch_id', 'number'],
    {
      references: [{ columns: ['workspace_id', 'batch_id'], to: 'batch', keys: ['workspace_id', 'id'] }],
      isClustered: true,
    },
  )
  await createIndex(tools, 'batch_item_pending', 'batch_item', ['workspace_id', 'batch_id', 'number'], {
    where: "state = 'pending'",
  })
  // A record is undone once, however many of its changes are.
  await createIndex(tools, 'batch_item_by_target', 'batch_item', ['workspace_id', 'batch_id', 'target'], {
    unique: true,
  })
}

/** Daily counts of records, and how long reports and appeals wait. */
export async function createInsightTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'record_count',
    `workspace_id id!, day int!, actor_id id_or_text!, bans int!, mutes int!, warnings int!, kicks int!,
     lifted int!`,
    ['workspace_id', 'day', 'actor_id'],
    { isClustered: true },
  )
  await createTable(
    tools,
    'reason_count',
    `workspace_id id!, day int!, reason text!, bans int!, mutes int!, warnings int!, kicks int!,
     lifted int!`,
    ['workspace_id', 'day', 'reason'],
    { isClustered: true },
  )
  await createTable(
    tools,
    'response_time',
    'workspace_id id!, id id!, kind text!, user_id text!, opened_at int!, responded_at int',
    ['workspace_id', 'id'],
    { isClustered: true },
  )
  await createIndex(tools, 'response_time_by_start', 'response_time', [
    'workspace_id',
    'opened_at',
    'kind',
    'responded_at',
  ])
  await createIndex(tools, 'response_time_waiting', 'response_time', ['workspace_id', 'user_id'], {
    where: 'responded_at is null',
  })
}
