import { type Actor, missingFields, paginate, parsePage } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { shownArchive, shownWorkspace, type WorkspaceQueryInput } from './model.ts'
import { workspaceOf } from './rows.ts'

const ofAccount = statement<{ accountId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .selectAll('workspace')
    .where('member.account_id', '=', p.accountId)
    .where('workspace.id', '<', p.before)
    .orderBy('workspace.id', 'desc')
    .limit(p.limit),
)
const ofKey = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .selectAll()
    .where('id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .limit(p.limit),
)
const archivesOf = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('archive')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

const WORKSPACES = 'workspaces'
const ARCHIVES = 'archives'

/** Behind every id. */
const END = 'z'

/**
 * What a GET asks for: one workspace, a page of those the actor can see (a key its own, an account those it is a member
 * of), or a page of a workspace's archives. Newest first.
 * @throws AppError `invalid_request`, `forbidden`
 */
export async function readWorkspaces(db: Queries, actor: Actor, input: WorkspaceQueryInput) {
  if (input.archives) return listArchives(db, actor, input)
  if (input.id !== undefined) return { workspace: shownWorkspace(await workspaceOf(db, actor.workspaceId)) }
  const { limit, before } = pageOf(WORKSPACES, input)
  const found =
    actor.kind === 'api_key'
      ? await db.all(ofKey, { workspaceId: actor.workspaceId, before, limit: limit + 1 })
      : await db.all(ofAccount, { accountId: actor.id, before, limit: limit + 1 })
  const { rows, nextCursor } = paginate(found, limit, WORKSPACES, (row) => [row.id])
  return { workspaces: rows.map(shownWorkspace), nextCursor }
}

async function listArchives(db: Queries, actor: Actor, input: WorkspaceQueryInput) {
  if (actor.workspaceId === '') throw missingFields('id')
  const { workspaceId } = actor
  const { limit, before } = pageOf(ARCHIVES, input)
  const found = await db.all(archivesOf, { workspaceId, before, limit: limit + 1 })
  const { rows, nextCursor } = paginate(found, limit, ARCHIVES, (row) => [row.id])
  return { archives: rows.map(shownArchive), nextCursor }
}

function pageOf(list: string, input: WorkspaceQueryInput): { limit: number; before: string } {
  const { limit, after } = parsePage(list, input, ['string'])
  return { limit, before: String(after?.[0] ?? END) }
}
