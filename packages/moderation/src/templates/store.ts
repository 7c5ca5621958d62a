import { AppError } from '@reeve/core'
import { insertAll, type Queries, statement, statementFamily, type TemplateTable, updateAll } from '@reeve/db'

type TemplateKey = { workspaceId: string; id: string }

const templateById = statement<TemplateKey>()((sql, p) =>
  sql.selectFrom('template').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
/** A page of templates, in their order. */
export const templatesByPosition = statementFamily<
  { workspaceId: string; limit: number; position: number; id: string },
  { archived: boolean }
>()((sql, p, { archived }) =>
  sql
    .selectFrom('template')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('archived_at', archived ? 'is not' : 'is', null)
    .where((eb) => eb(eb.refTuple('position', 'id'), '>', eb.tuple(p.position, p.id)))
    .orderBy('position')
    .orderBy('id')
    .limit(p.limit),
)
export const highestPosition = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('template')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('workspace_id', '=', p.workspaceId),
)
export const insertTemplate = statement<TemplateTable>()((sql, p) => insertAll(sql, 'template', p))
export const updateTemplate = statement<TemplateTable>()((sql, p) =>
  updateAll(sql, 'template', p, { key: ['workspace_id', 'id'], except: ['created_at'] }),
)
export const updatePosition = statement<TemplateKey & { position: number }>()((sql, p) =>
  sql
    .updateTable('template')
    .set({ position: p.position })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** Returns a template of a workspace, also an archived one. @throws AppError `not_found` */
export async function requireTemplate(db: Queries, workspaceId: string, id: string): Promise<TemplateTable> {
  const row = await db.first(templateById, { workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}
