import { createRowDeletion, type RowDeletion, type Tables } from '@reeve/db'
import type { ExcludedFromArchive } from '../archive/content-definition.ts'
import { contentDeletions } from '../archive/content-statements.ts'

type Key<Table extends keyof Tables> = readonly (keyof Tables[Table] & string)[]

/**
 * The primary key after `workspace_id` of each table that archives do not contain, in the order in which their rows can be deleted:
 * access first. A missing table does not compile.
 */
const keys: { readonly [Table in Exclude<ExcludedFromArchive, 'player_name'>]: Key<Table> } = {
  delivery: ['id'],
  delivery_cursor: ['consumer'],
  webhook: ['id'],
  api_key: ['id'],
  invitation: ['id'],
  former_member: ['account_id'],
  saved_view: ['id'],
  recent_ban: ['person_id', 'banned_at', 'record_id'],
  batch_item: ['batch_id', 'number'],
  batch: ['id'],
  claim: ['target_kind', 'target_id'],
  mention: ['id'],
  redaction: ['record_id'],
  erasure: ['id'],
  workspace_job_row: ['job_id', 'number'],
  workspace_job: ['id'],
  import_issue: ['import_id', 'number'],
  import_part: ['import_id', 'part'],
  import: ['id'],
  archive_image: ['archive_id', 'hash'],
  archive_evidence: ['archive_id', 'file_id'],
  archive_part: ['archive_id', 'part'],
  archive: ['id'],
  idempotency: ['actor_id', 'route', 'key'],
  record_count: ['day', 'actor_id'],
  reason_count: ['day', 'reason'],
  appealed_ban: ['day', 'record_id'],
  response_time: ['id'],
  retention_run: [],
  usage: ['hour', 'endpoint', 'actor_id', 'status_class'],
  activity: ['action', 'quarter'],
  activity_by_actor: ['quarter', 'actor_kind', 'actor_id', 'action'],
  activity_progress: [],
  audit: ['sequence'],
  workspace_head: [],
}

/** Deletes some rows of each table of a workspace, in an order that references allow. Names of players have an index of their own. */
export const tableDeletions: ReadonlyMap<string, RowDeletion> = new Map<string, RowDeletion>([
  ...(Object.keys(keys) as (keyof typeof keys)[]).map(
    (table) => [table, createRowDeletion(table, keys[table])] as const,
  ),
  ...[...contentDeletions].toReversed(),
])
