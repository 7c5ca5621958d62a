import { type Actor, AppError, permissionCatalog, permissions } from '@reeve/core'
import { type Queries, type RoleTable, statement } from '@reeve/db'
import { presentRole } from './model.ts'

const byId = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.selectFrom('role').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const rolesByRank = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('role')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('rank', 'desc')
    .orderBy('name_key'),
)

const catalog = permissions.map((name) => ({ name, description: permissionCatalog[name] }))

/** A role of the actor's workspace. @throws AppError `not_found` */
export async function requireRole(db: Queries, actor: Actor, id: string): Promise<RoleTable> {
  const row = await db.first(byId, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** The response for one role. @throws AppError `not_found` */
export const getRole = async (db: Queries, actor: Actor, id: string) => ({
  role: presentRole(await requireRole(db, actor, id)),
})

/** All roles, highest rank first, and the permission catalog. Not paginated, because `MAX_ROLES` is small. */
export const listRoles = async (db: Queries, actor: Actor) => ({
  roles: (await db.all(rolesByRank, { workspaceId: actor.workspaceId })).map(presentRole),
  permissions: catalog,
})
