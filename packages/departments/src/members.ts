import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertVersion,
  type ExpectedVersions,
  invalidRequest,
  type Ports,
  requireFields,
} from '@reeve/core'
import { type DepartmentMemberTable, insertAll, type Queries, statement, type Transaction } from '@reeve/db'
import {
  type DepartmentMember,
  type DepartmentMembersInput,
  type DepartmentOrderInput,
  presentDepartment,
} from './model.ts'
import { type DepartmentKey, departmentById, updateDepartment } from './service.ts'

const liveDepartments = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('department')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('name_key'),
)
const membersByDepartment = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('department_member')
    .innerJoin('account', 'account.id', 'department_member.account_id')
    .select(['department_id', 'account_id', 'is_lead', 'account.username'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('department_id', p.ids))
    .orderBy('is_lead', 'desc')
    .orderBy('account.username_key'),
)
const workspaceMembers = statement<{ workspaceId: string; accountIds: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('member')
      .select('account_id')
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('account_id', p.accountIds)),
)
const deleteDepartmentMembers = statement<DepartmentKey>()((sql, p) =>
  sql
    .deleteFrom('department_member')
    .where('workspace_id', '=', p.workspaceId)
    .where('department_id', '=', p.id),
)
const insertDepartmentMember = statement<DepartmentMemberTable>()((sql, p) =>
  insertAll(sql, 'department_member', p),
)
const updatePosition = statement<DepartmentKey & { position: number }>()((sql, p) =>
  sql
    .updateTable('department')
    .set({ position: p.position })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** Loads the members of departments. @returns the members of a department by its id */
async function loadDepartmentMembers(
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
): Promise<(id: string) => DepartmentMember[]> {
  const rows = await db.all(membersByDepartment, { workspaceId, ids })
  const byDepartment = Map.groupBy(rows, (row) => row.department_id)
  return (id) =>
    (byDepartment.get(id) ?? []).map((row) => ({
      accountId: row.account_id,
      username: row.username,
      isLead: String(row.is_lead === 1),
    }))
}

/** Every department of a workspace that is not deleted, in order, with its members. */
export async function listDepartmentsWithMembers(
  db: Queries,
  { workspaceId }: { readonly workspaceId: string },
) {
  const rows = await db.all(liveDepartments, { workspaceId })
  const members = await loadDepartmentMembers(
    db,
    workspaceId,
    rows.map((row) => row.id),
  )
  return { departments: rows.map((row) => ({ ...presentDepartment(row), members: members(row.id) })) }
}

/**
 * Replaces the members and the lead of a department.
 * @throws AppError `not_found`, `version_mismatch`, `invalid_request` if an account is not a member of the workspace
 */
export async function replaceDepartmentMembers(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: DepartmentMembersInput & { readonly ifMatch: ExpectedVersions },
) {
  const { id, accountIds } = requireFields(input, 'id', 'accountIds')
  const { workspaceId } = actor
  const before = await tx.first(departmentById, { workspaceId, id })
  if (!before || before.deleted_at !== null) throw new AppError('not_found')
  assertVersion(before, input.ifMatch)
  await assertWorkspaceMembers(tx, workspaceId, accountIds)
  const leadId = input.leadId ?? null
  if (leadId !== null && !accountIds.includes(leadId)) {
    throw invalidRequest({ field: 'leadId', message: 'must be one of accountIds' })
  }
  const present = async (row: typeof before) => ({
    ...presentDepartment(row),
    members: (await loadDepartmentMembers(tx, workspaceId, [id]))(id),
  })
  const presentedBefore = await present(before)
  if (hasSameMembers(presentedBefore.members, accountIds, leadId)) return { department: presentedBefore }
  await tx.run(deleteDepartmentMembers, { workspaceId, id })
  for (const accountId of accountIds) {
    await tx.run(insertDepartmentMember, {
      workspace_id: workspaceId,
      department_id: id,
      account_id: accountId,
      is_lead: Number(accountId === leadId),
    })
  }
  const after = { ...before, updated_at: ports.now(), version: before.version + 1 }
  await tx.run(updateDepartment, after)
  const department = await present(after)
  await appendAuditEntry(tx, ports, actor, {
    action: 'departments.set_members',
    target: { kind: 'department', id },
    before: presentedBefore,
    after: department,
  })
  tx.announce({ kind: 'department', workspaceId, id })
  return { department }
}

const hasSameMembers = (
  members: readonly DepartmentMember[],
  accountIds: readonly string[],
  leadId: string | null,
): boolean =>
  members.length === accountIds.length &&
  members.every(
    ({ accountId, isLead }) => accountIds.includes(accountId) && isLead === String(accountId === leadId),
  )

async function assertWorkspaceMembers(tx: Transaction, workspaceId: string, accountIds: readonly string[]) {
  const members = await tx.all(workspaceMembers, { workspaceId, accountIds })
  const unknownId = accountIds.find((accountId) => !members.some((row) => row.account_id === accountId))
  if (unknownId === undefined) return
  throw invalidRequest({ field: 'accountIds', message: `is not a member of this workspace: ${unknownId}` })
}

/**
 * Reorders the departments. This does not change their versions.
 * @throws AppError `conflict` if `ids` does not list every department once, as when one was created or deleted meanwhile
 */
export async function orderDepartments(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: DepartmentOrderInput,
) {
  const { ids } = requireFields(input, 'ids')
  const { workspaceId } = actor
  const { departments: before } = await listDepartmentsWithMembers(tx, actor)
  if (before.length !== ids.length || before.some(({ id }) => !ids.includes(id))) {
    throw new AppError('conflict', {
      message: 'The order must list every department once; the departments have changed, so reload them.',
    })
  }
  if (before.every(({ id }, index) => id === ids[index])) return { departments: before }
  for (const [index, id] of ids.entries())
    await tx.run(updatePosition, { workspaceId, id, position: index + 1 })
  const { departments } = await listDepartmentsWithMembers(tx, actor)
  const toNames = (list: typeof before) => list.map(({ id, name }) => ({ id, name }))
  await appendAuditEntry(tx, ports, actor, {
    action: 'departments.order',
    target: { kind: 'workspace', id: workspaceId },
    before: { departments: toNames(before) },
    after: { departments: toNames(departments) },
  })
  tx.announce({ kind: 'department', workspaceId, id: workspaceId })
  return { departments }
}
