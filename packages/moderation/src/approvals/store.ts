import { AppError } from '@reeve/core'
import {
  type ApprovalTable,
  type Conditions,
  insertAll,
  type Queries,
  type RecordTable,
  statement,
  type Transaction,
} from '@reeve/db'

/** The state of a request for approval. Nobody has to mark it as expired. */
export const approvalStates = ['pending', 'approved', 'rejected', 'expired', 'superseded'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** @param now epoch milliseconds */
export const getApprovalState = (
  { decision, expires_at }: Pick<ApprovalTable, 'decision' | 'expires_at'>,
  now: number,
): ApprovalState => decision ?? (expires_at <= now ? 'expired' : 'pending')

type RecordKey = { readonly workspaceId: string; readonly recordId: string }

const approvalByRecord = statement<RecordKey>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('approval')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId),
)
const pendingOfRecords = statement<{
  workspaceId: string
  recordIds: readonly string[]
  now: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom('approval')
    .select('record_id')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.recordIds))
    .where('decision', 'is', null)
    .where('expires_at', '>', p.now),
)
const supersede = statement<RecordKey & { now: number; by: string }>()((sql, p) =>
  sql
    .updateTable('approval')
    .set({ decision: 'superseded', decided_at: p.now, decided_by: p.by })
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId)
    .where('decision', 'is', null)
    .where('expires_at', '>', p.now),
)

const insert = statement<ApprovalTable>()((sql, p) => insertAll(sql, 'approval', p))

/** Announces that other approvals wait than before. */
export const announceApproval = (
  tx: Transaction,
  { workspace_id, record_id }: Pick<ApprovalTable, 'workspace_id' | 'record_id'>,
): void => tx.announce({ kind: 'approval', workspaceId: workspace_id, id: record_id })

/** Stores a request for approval, and announces it. */
export async function insertApproval(tx: Transaction, row: ApprovalTable): Promise<void> {
  await tx.run(insert, row)
  announceApproval(tx, row)
}

/** The request for approval of a record, decided or not. */
export const findApprovalOfRecord = (
  db: Queries,
  { workspace_id, id }: Pick<RecordTable, 'workspace_id' | 'id'>,
): Promise<ApprovalTable | undefined> =>
  db.first(approvalByRecord, { workspaceId: workspace_id, recordId: id })

/** Which of these bans in force wait for approval. @param now epoch milliseconds */
export async function findPendingRecords(
  db: Queries,
  workspaceId: string,
  recordIds: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (recordIds.length === 0) return new Set()
  const rows = await db.all(pendingOfRecords, { workspaceId, recordIds, now })
  return new Set(rows.map(({ record_id }) => record_id))
}

export interface PendingApproval {
  /** 1 while a ban in force waits for approval, otherwise 0; null in a record as it was earlier. */
  readonly waits_for_approval: number | null
}

/** `waits_for_approval` as a column of a statement on `record`, so that a list needs no other one. @param now epoch milliseconds */
export const selectPendingApproval = (eb: Conditions<'record'>, workspaceId: string, now: number) =>
  eb
    .case()
    // The end comes first: what never ends, such as most bans, needs no lookup.
    .when(eb.or([eb('record.expires_at', 'is', null), eb('record.in_force', '=', eb.lit(0))]))
    .then(eb.lit(0))
    .when(
      eb.exists(
        eb
          .selectFrom('approval')
          .select('approval.id')
          .where('approval.workspace_id', '=', workspaceId)
          .whereRef('approval.record_id', '=', 'record.id')
          .where('approval.decision', 'is', null)
          .where('approval.expires_at', '>', now),
      ),
    )
    .then(eb.lit(1))
    .else(eb.lit(0))
    .end()
    .as('waits_for_approval')

/** @throws AppError `conflict` if the ban waits for approval */
export async function assertNoPendingApproval(db: Queries, row: RecordTable, now: number): Promise<void> {
  const approval = await findApprovalOfRecord(db, row)
  if (!approval || getApprovalState(approval, now) !== 'pending') return
  throw new AppError('conflict', {
    message: 'This ban waits for approval. Approve, reject or lift it instead.',
  })
}

/** Ends the request of a ban that is lifted or replaced before somebody has decided. */
export async function supersedeApproval(
  tx: Transaction,
  row: Pick<RecordTable, 'workspace_id' | 'id' | 'action'>,
  now: number,
  by: string,
): Promise<void> {
  if (row.action !== 'ban') return
  const { workspace_id, id: record_id } = row
  const superseded = await tx.run(supersede, { workspaceId: workspace_id, recordId: record_id, now, by })
  if (superseded > 0) announceApproval(tx, { workspace_id, record_id })
}
