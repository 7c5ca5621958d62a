import { type Statement, statement, type Tables } from '@reeve/db'
import type { ExcludedFromArchive } from '../archive/content-definition.ts'
import { deleteSomeRows } from '../archive/content-statements.ts'

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

type DeleteSome = Statement<{ workspaceId: string; limit: number }, unknown>

/** Deletes some rows of each table of a workspace, in an order that references allow. Names of players have an index of their own. */
export const deletions: ReadonlyMap<string, DeleteSome> = new Map<string, DeleteSome>([
  ...Object.entries(keys).map(([table, key]) => [table, createDeletion(table, key)] as const),
  ...[...deleteSomeRows].toReversed(),
])

// The statements work on every table. Kysely needs the names of one for its types: that with most columns in its key.
function createDeletion(table: string, key: readonly string[]): DeleteSome {
  return statement<{ workspaceId: string; limit: number }>()((sql, p) => {
    const rows = sql.deleteFrom(table as 'usage').where('workspace_id', '=', p.workspaceId)
    const some = sql
      .selectFrom(table as 'usage')
      .where('workspace_id', '=', p.workspaceId)
      .limit(p.limit)
    const [first, second, third, fourth] = key as Partial<
      readonly ['hour', 'endpoint', 'actor_id', 'status_class']
    >
    if (first === undefined) return rows
    if (second === undefined) return rows.where(first, 'in', some.select(first))
    return rows.where((eb) => {
      if (third === undefined)
        return eb(eb.refTuple(first, second), 'in', some.select([first, second]).$asTuple(first, second))
      if (fourth === undefined)
        return eb(
          eb.refTuple(first, second, third),
          'in',
          some.select([first, second, third]).$asTuple(first, second, third),
        )
      return eb(
        eb.refTuple(first, second, third, fourth),
        'in',
        some.select([first, second, third, fourth]).$asTuple(first, second, third, fourth),
      )
    })
  })
}
