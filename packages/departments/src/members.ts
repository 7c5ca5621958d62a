import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, assertVersion, invalidRequest, type Ports, requireFields } from '@reeve/core'
import { type DepartmentMemberTable, insertAll, statement, type Transaction } from '@reeve/db'
import type { DepartmentMembersInput, DepartmentOrderInput } from './members-model.ts'
import { listDepartmentsWithMembers, loadDepartmentMembers } from './members-read.ts'
import { presentDepartment } from './model.ts'
import { departmentById, updateDepartment } from './service.ts'

type DepartmentKey = { workspaceId: string; id: string }

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

/**
 * Replaces the members of a live department, and says which of them leads it.
 * @throws AppError `not_found`, `version_mismatch`, `invalid_request` naming who is no member of the workspace
 */
export async function replaceDepartmentMembers(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: DepartmentMembersInput & { readonly ifMatch: Parameters<typeof assertVersion>[1] },
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

async function assertWorkspaceMembers(tx: Transaction, workspaceId: string, accountIds: readonly string[]) {
  const members = await tx.all(workspaceMembers, { workspaceId, accountIds })
  const unknownId = accountIds.find((accountId) => !members.some((row) => row.account_id === accountId))
  if (unknownId === undefined) return
  throw invalidRequest({ field: 'accountIds', message: `names no member of this workspace: ${unknownId}` })
}

/**
 * Puts the live departments into an order. An order is no change of the departments themselves: their versions stay.
 * @throws AppError `conflict` where it does not name exactly the live ones, as when one was made or deleted meanwhile
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
      message: 'The order must name every department once; they have changed, so look at them again.',
    })
  }
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
