import { HIGHEST_ID } from '@reeve/core'
import { type AuditTable, type Queries, statement } from '@reeve/db'
import { type ChangeState, isPartlyRolledBack, readRollBacks } from './roll-backs.ts'
import { RowReader } from './row-reader.ts'

/** How many rows are in memory at a time: texts of a record, and of a change, can have 64 KiB each. */
export const PAGE_ROWS = 200

interface ChangesPage {
  readonly workspaceId: string
  readonly kind: string
  readonly beforeId: string
  readonly beforeSequence: number
  readonly limit: number
}

const changesBelow = statement<ChangesPage>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('audit', 'audit_by_target'))
    .select(['target_id', 'sequence', 'at', 'actor_kind', 'actor_id', 'actor_name', 'action', 'changes'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb(eb.refTuple('target_id', 'sequence'), '<', eb.tuple(p.beforeId, p.beforeSequence)))
    .where('target_kind', '=', p.kind)
    .orderBy('target_id', 'desc')
    .orderBy('sequence', 'desc')
    .limit(p.limit),
)
const firstSequence = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select('sequence')
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('sequence')
    .limit(1),
)

/** The columns of an audit entry that are compared. */
export type LoggedChange = Pick<
  AuditTable,
  'target_id' | 'sequence' | 'at' | 'actor_kind' | 'actor_id' | 'actor_name' | 'action' | 'changes'
>

/** The audit log of a workspace, to compare it with the rows that it describes. */
export interface WorkspaceLog {
  /** Changes up to this sequence are in the log of the workspace that this one was copied from. */
  readonly copiedUntil: number
  /** Whether the change with a sequence is still part of the content. */
  readonly getState: (sequence: number) => ChangeState
  /**
   * Reads the changes of all resources of a kind: by the id of the resource, highest first, and of each resource the newest first.
   * Rows in the same order can be compared with them in one pass, and one with thousands of changes takes no more memory than others.
   */
  readonly readChanges: (kind: string) => RowReader<LoggedChange>
}

/** The changes of all resources of a kind in a workspace, in the order of `WorkspaceLog.readChanges`, also those that are undone. */
export const readLoggedChanges = (
  read: Queries,
  workspaceId: string,
  kind: string,
): RowReader<LoggedChange> =>
  new RowReader(PAGE_ROWS, (last) =>
    read.all(changesBelow, {
      workspaceId,
      kind,
      limit: PAGE_ROWS,
      beforeId: last?.target_id ?? HIGHEST_ID,
      beforeSequence: last?.sequence ?? 0,
    }),
  )

/** @returns null if a roll-back of the workspace is not complete: then its content is neither the old nor the new one */
export async function openWorkspaceLog(read: Queries, workspaceId: string): Promise<WorkspaceLog | null> {
  if (await isPartlyRolledBack(read, workspaceId)) return null
  const first = await read.first(firstSequence, { workspaceId })
  return {
    copiedUntil: (first?.sequence ?? 1) - 1,
    getState: await readRollBacks(read, workspaceId),
    readChanges: (kind) => readLoggedChanges(read, workspaceId, kind),
  }
}
