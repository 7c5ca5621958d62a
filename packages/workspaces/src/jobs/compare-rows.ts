import { type EventTable, type Statement, statement, type WorkspaceJobRowTable } from '@reeve/db'
import { content } from '../archive/content.ts'
import type { Row } from '../archive/content-statements.ts'
import type { FindErased } from '../archive/erased-players.ts'
import { redactRecords } from '../archive/redactions.ts'
import type { JobContext } from './job-context.ts'
import { SANCTIONS_KIND } from './staged-rows.ts'

interface PageParams {
  readonly workspaceId: string
  readonly after: string
  readonly limit: number
}

const currentRecords = statement<PageParams>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'sequence', 'source_id', 'user_id', 'in_force'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)
const currentEvents = statement<PageParams>()((sql, p) =>
  sql
    .selectFrom('event')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)

/** A change that a roll-back has found. */
export type Change = Pick<WorkspaceJobRowTable, 'kind' | 'user_id' | 'target_id' | 'data'>

export interface ComparisonContext {
  readonly context: JobContext
  readonly findErased: FindErased
}

export interface CurrentRow {
  readonly id: string
}

/** A table whose archived rows are compared with the current ones. */
export interface ComparedTable<Current extends CurrentRow> {
  readonly table: 'record' | 'event'
  readonly rowsPerRead: number
  /** The rows after an ID, in the order of their IDs. */
  readonly currentRows: Statement<PageParams, Current>
  /** The changes that turn current rows into archived ones. Both are those of the same range of IDs. */
  readonly compare: (
    comparison: ComparisonContext,
    archived: readonly Row[],
    current: readonly Current[],
  ) => Change[] | Promise<Change[]>
  /** The change that deletes a current row. */
  readonly toDeletion: (current: Current) => Change
}

interface CurrentRecord extends CurrentRow {
  readonly sequence: number
  readonly source_id: string | null
  readonly user_id: string
  readonly in_force: number
}

export const comparedRecords: ComparedTable<CurrentRecord> = {
  table: 'record',
  rowsPerRead: 100,
  currentRows: currentRecords,
  async compare({ context, findErased }, archived, current) {
    const currentById = new Map<unknown, CurrentRecord>(current.map((row) => [row.id, row]))
    const changed = archived.filter((row) => {
      const existing = currentById.get(row.id)
      return !existing || existing.sequence !== row.sequence || existing.source_id !== row.source_id
    })
    const restored = await redactRecords(context, context.job.workspace_id, changed, findErased)
    return [
      ...restored.map((row) => toRecordChange(currentById.get(row.id), row)),
      ...selectAdded(archived, current).map((row) => toRecordChange(row, null)),
    ]
  },
  toDeletion: (row) => toRecordChange(row, null),
}

/** @param row the archived record; null deletes the current one */
function toRecordChange(current: CurrentRecord | undefined, row: Row | null): Change {
  const isSanction = current?.in_force === 1 || row?.in_force === 1
  return {
    kind: isSanction ? SANCTIONS_KIND : content.record.kind,
    user_id: isSanction ? String(row?.user_id ?? current?.user_id) : null,
    target_id: String(row?.id ?? current?.id),
    data: row && JSON.stringify(row),
  }
}

export const comparedEvents: ComparedTable<EventTable> = {
  table: 'event',
  // Fewer than of records, because events have longer texts.
  rowsPerRead: 20,
  currentRows: currentEvents,
  compare(_, archived, current) {
    const currentById = new Map<unknown, Row>(current.map((row) => [row.id, row]))
    const columns = Object.keys(content.event.columns)
    const changed = archived.filter((row) => {
      const existing = currentById.get(row.id)
      return !existing || columns.some((column) => existing[column] !== row[column])
    })
    return [
      ...changed.map((row) => toEventChange(String(row.id), row)),
      ...selectAdded(archived, current).map(({ id }) => toEventChange(id, null)),
    ]
  },
  toDeletion: ({ id }) => toEventChange(id, null),
}

const toEventChange = (id: string, row: Row | null): Change => ({
  kind: content.event.kind,
  user_id: null,
  target_id: id,
  data: row && JSON.stringify(row),
})

/** The current rows that the archive does not have. */
function selectAdded<Current extends CurrentRow>(
  archived: readonly Row[],
  current: readonly Current[],
): Current[] {
  const archivedIds = new Set(archived.map((row) => row.id))
  return current.filter(({ id }) => !archivedIds.has(id))
}
