import { type Queries, statement } from '@reeve/db'
import type { DepartmentMember } from './members-model.ts'
import { presentDepartment } from './model.ts'

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

/** The members of departments by the department's id. */
export async function loadDepartmentMembers(
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

/** The live departments of a workspace in their order, each with its members. */
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
