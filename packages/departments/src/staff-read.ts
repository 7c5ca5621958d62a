import { type Queries, statement } from '@reeve/db'
import { shownDepartment } from './model.ts'
import type { ShownDepartmentMember } from './staff-model.ts'

const inOrder = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('department')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('name_key'),
)
const membersOf = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
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
export async function staffOf(
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
): Promise<(id: string) => ShownDepartmentMember[]> {
  const rows = await db.all(membersOf, { workspaceId, ids })
  const byDepartment = Map.groupBy(rows, (row) => row.department_id)
  return (id) =>
    (byDepartment.get(id) ?? []).map((row) => ({
      accountId: row.account_id,
      username: row.username,
      isLead: String(row.is_lead === 1),
    }))
}

/** The live departments of a workspace in their order, each with its members. */
export async function listStaffed(db: Queries, { workspaceId }: { readonly workspaceId: string }) {
  const rows = await db.all(inOrder, { workspaceId })
  const members = await staffOf(
    db,
    workspaceId,
    rows.map((row) => row.id),
  )
  return { departments: rows.map((row) => ({ ...shownDepartment(row), members: members(row.id) })) }
}
