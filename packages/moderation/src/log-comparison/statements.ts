import { type Sql, sqlLiteral, statement } from '@reeve/db'

/** How many rows are in memory at a time: texts of a record, and of a change, can have 64 KiB each. */
export const PAGE_ROWS = 200

/** Above every id. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

interface Page {
  readonly workspaceId: string
  readonly limit: number
}

const RECORD_TARGET = 'record'

// Records, their earlier versions and their changes in the same order, newest first, so that each is read once and a record with
// thousands of versions takes no more memory than others. Each row has the position after which the next page begins.

export const recordsBelow = statement<Page & { beforeId: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.beforeId)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

export const versionsBelow = statement<Page & { beforeId: string; beforeVersion: number }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .select(['record_id', 'version', 'snapshot'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb(eb.refTuple('record_id', 'version'), '<', eb.tuple(p.beforeId, p.beforeVersion)))
    .orderBy('record_id', 'desc')
    .orderBy('version', 'desc')
    .limit(p.limit),
)

export const changesBelow = statement<Page & { beforeId: string; beforeSequence: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('audit', 'audit_by_target'))
      .select(['target_id', 'sequence', 'at', 'actor_kind', 'actor_id', 'actor_name', 'action', 'changes'])
      .where('workspace_id', '=', p.workspaceId)
      .where((eb) => eb(eb.refTuple('target_id', 'sequence'), '<', eb.tuple(p.beforeId, p.beforeSequence)))
      .where('target_kind', '=', RECORD_TARGET)
      .orderBy('target_id', 'desc')
      .orderBy('sequence', 'desc')
      .limit(p.limit),
)

export const redactionsByRecord = statement<{ workspaceId: string; ids: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('redaction')
      .select(['record_id', 'redacted_at'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('record_id', p.ids)),
)

export const firstSequence = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('sequence')
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('sequence')
    .limit(1),
)

const entriesByTarget = (sql: Sql, p: { workspaceId: string; targetId: string; action: string }) =>
  sql
    .selectFrom('audit')
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId)
    .where('action', '=', p.action)
    .orderBy('sequence')

export const sequencesByTarget = statement<{ workspaceId: string; targetId: string; action: string }>()(
  (sql, p) => entriesByTarget(sql, p).select('sequence'),
)
export const changesByTarget = statement<{ workspaceId: string; targetId: string; action: string }>()(
  (sql, p) => entriesByTarget(sql, p).select(['sequence', 'changes']),
)

/** The steps of roll-backs that are changing their workspace, or failed while they did. */
export const rollBackJobs = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .select(['state', 'step'])
    .where('workspace_id', '=', p.workspaceId)
    .where('kind', '=', sqlLiteral('roll_back'))
    .orderBy('id', 'desc'),
)
