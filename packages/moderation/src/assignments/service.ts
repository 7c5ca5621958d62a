import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, type Ports, requireFields, wire } from '@reeve/core'
import {
  type AssignmentTable,
  type Queries,
  type RecordTable,
  statement,
  type Transaction,
  upsertAll,
} from '@reeve/db'
import { findCaseStaff } from '../case-staff.ts'
import { requireRecord } from '../records/record-store.ts'
import { assertUnderRowLimit } from '../row-limit.ts'
import type { Assignment } from './model.ts'

/** Joined with the members, because the assignment of a person who left counts for nothing. */
const assignmentsOfRecords = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('assignment')
    .innerJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'assignment.workspace_id')
        .onRef('member.account_id', '=', 'assignment.account_id'),
    )
    .innerJoin('account', 'account.id', 'assignment.account_id')
    .selectAll('assignment')
    .select('account.username')
    .where('assignment.workspace_id', '=', p.workspaceId)
    .where(dialect.inList('assignment.record_id', p.ids)),
)
const upsertAssignment = statement<AssignmentTable>()((sql, p) =>
  upsertAll(sql, 'assignment', p, ['workspace_id', 'record_id']),
)
const deleteAssignment = statement<{ workspaceId: string; recordId: string }>()((sql, p) =>
  sql.deleteFrom('assignment').where('workspace_id', '=', p.workspaceId).where('record_id', '=', p.recordId),
)

const presentAssignment = (row: AssignmentTable & { username: string }): Assignment => ({
  recordId: row.record_id,
  accountId: row.account_id,
  username: row.username,
  assignedBy: row.assigned_by,
  assignedAt: wire.time.write(row.assigned_at),
})

/** Who is to work on these records. */
export async function listAssignments(
  db: Queries,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  ids: readonly string[],
): Promise<Assignment[]> {
  if (ids.length === 0) return []
  return (await db.all(assignmentsOfRecords, { workspaceId, ids })).map(presentAssignment)
}

interface AssignmentInput {
  readonly recordId?: string
  readonly accountId?: string
}

/** Assigns a record to a member who can view cases. @throws AppError `not_found`, `conflict` */
export async function assignRecord(tx: Transaction, ports: Ports, actor: Actor, input: AssignmentInput) {
  const { recordId, accountId } = requireFields(input, 'recordId', 'accountId')
  const record = await requireRecord(tx, actor, recordId)
  const [before = null] = await listAssignments(tx, actor, [record.id])
  if (before?.accountId === accountId) return { assignment: before }
  const assignee = (await findCaseStaff(tx, actor.workspaceId, [accountId])).get(accountId)
  if (!assignee) throw new AppError('not_found', { message: 'No member with this id can view cases.' })
  if (!before) await assertUnderRowLimit(tx, actor.workspaceId, 'assignment')
  const row: AssignmentTable = {
    workspace_id: actor.workspaceId,
    record_id: record.id,
    account_id: accountId,
    assigned_by: actor.id,
    assigned_at: ports.now(),
  }
  await tx.run(upsertAssignment, row)
  const after = presentAssignment({ ...row, username: assignee.username })
  await recordChange(tx, ports, actor, record, { before, after })
  return { assignment: after }
}

/** Takes an assignment back. Without one, nothing changes. @throws AppError `not_found` */
export async function unassignRecord(tx: Transaction, ports: Ports, actor: Actor, input: AssignmentInput) {
  const { recordId } = requireFields(input, 'recordId')
  const record = await requireRecord(tx, actor, recordId)
  const [before = null] = await listAssignments(tx, actor, [record.id])
  await tx.run(deleteAssignment, { workspaceId: actor.workspaceId, recordId: record.id })
  if (before) await recordChange(tx, ports, actor, record, { before, after: null })
  return { assignment: null }
}

async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  record: RecordTable,
  change: { readonly before: Assignment | null; readonly after: Assignment | null },
): Promise<void> {
  const { id, case_number } = record
  const log = (assignment: Assignment | null) =>
    assignment && { ...assignment, caseNumber: String(case_number) }
  const [before, after] = [log(change.before), log(change.after)]
  const action = after ? 'moderation.assign' : 'moderation.unassign'
  await appendAuditEntry(tx, ports, actor, { action, target: { kind: 'assignment', id }, before, after })
  tx.announce({ kind: 'assignment', workspaceId: actor.workspaceId, id })
}
