import { type Actor, missingFields, paginate, parsePage } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { presentArchive, presentWorkspace, type WorkspaceQueryInput } from './model.ts'
import { requireWorkspace } from './workspace-store.ts'

const workspacesByAccount = statement<{ accountId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .selectAll('workspace')
    .where('member.account_id', '=', p.accountId)
    .where('workspace.id', '<', p.before)
    .orderBy('workspace.id', 'desc')
    .limit(p.limit),
)
const workspacesByKey = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .selectAll()
    .where('id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .limit(p.limit),
)
const archivesByWorkspace = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('archive')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

const WORKSPACES_LIST = 'workspaces'
const ARCHIVES_LIST = 'archives'

/** Behind every id. */
const AFTER_LAST_ID = 'z'

/**
 * What a GET asks for: one workspace, a page of those the actor can see (a key its own, an account those it is a member
 * of), or a page of a workspace's archives. Newest first.
 * @throws AppError `invalid_request`, `forbidden`
 */
export async function readWorkspaces(db: Queries, actor: Actor, input: WorkspaceQueryInput) {
  if (input.archives) return listArchives(db, actor, input)
  if (input.id !== undefined)
    return { workspace: presentWorkspace(await requireWorkspace(db, actor.workspaceId)) }
  const { limit, before } = toPageBounds(WORKSPACES_LIST, input)
  const results =
    actor.kind === 'api_key'
      ? await db.all(workspacesByKey, { workspaceId: actor.workspaceId, before, limit: limit + 1 })
      : await db.all(workspacesByAccount, { accountId: actor.id, before, limit: limit + 1 })
  const { rows, nextCursor } = paginate(results, limit, WORKSPACES_LIST, (row) => [row.id])
  return { workspaces: rows.map(presentWorkspace), nextCursor }
}

async function listArchives(db: Queries, actor: Actor, input: WorkspaceQueryInput) {
  if (actor.workspaceId === '') throw missingFields('id')
  const { workspaceId } = actor
  const { limit, before } = toPageBounds(ARCHIVES_LIST, input)
  const results = await db.all(archivesByWorkspace, { workspaceId, before, limit: limit + 1 })
  const { rows, nextCursor } = paginate(results, limit, ARCHIVES_LIST, (row) => [row.id])
  return { archives: rows.map(presentArchive), nextCursor }
}

function toPageBounds(list: string, input: WorkspaceQueryInput): { limit: number; before: string } {
  const { limit, after } = parsePage(list, input, ['string'])
  return { limit, before: String(after?.[0] ?? AFTER_LAST_ID) }
}
