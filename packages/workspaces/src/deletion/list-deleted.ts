import { MAX_ID, paginate, parsePage } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { type DeletedWorkspacesQueryInput, presentDeletedWorkspace } from './model.ts'

const newestFirst = statement<{ before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('deleted_workspace')
    .innerJoin('account', 'account.id', 'deleted_workspace.owner_id')
    .selectAll('deleted_workspace')
    .select('account.username as owner')
    .where('deleted_workspace.id', '<', p.before)
    .orderBy('deleted_workspace.id', 'desc')
    .limit(p.limit),
)

const LIST = 'deleted-workspaces'

/** A page of the workspaces that were deleted, newest first. */
export async function listDeletedWorkspaces(db: Queries, input: DeletedWorkspacesQueryInput) {
  const page = parsePage(LIST, input, ['string'])
  const before = String(page.after?.[0] ?? MAX_ID)
  const { rows, nextCursor } = paginate(
    await db.all(newestFirst, { before, limit: page.limit + 1 }),
    page,
    (row) => [row.id],
  )
  return { deletedWorkspaces: rows.map(presentDeletedWorkspace), nextCursor }
}
