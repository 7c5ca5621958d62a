import { type Actor, MAX_ID, missingFields, paginate, parsePage } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { findNewestJob } from './jobs/job-store.ts'
import { presentJobs } from './jobs/list-jobs.ts'
import { presentJob } from './jobs/model.ts'
import { presentArchive, presentWorkspace, type WorkspaceQueryInput } from './model.ts'
import { requireWorkspace } from './workspace-store.ts'

const workspacesByAccount = statement<{ accountId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .selectAll('workspace')
    .where('member.account_id', '=', p.accountId)
    .where('workspace.hidden', 'is', null)
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
    .where('deleted_at', 'is', null)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const workspacesAfterId = statement<{ after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .innerJoin('account', 'account.id', 'workspace.owner_id')
    .selectAll('workspace')
    .select('account.username as owner')
    .where('workspace.id', '>', p.after)
    .where('workspace.hidden', 'is', null)
    .orderBy('workspace.id')
    .limit(p.limit),
)

const WORKSPACES_LIST = 'workspaces'
const ARCHIVES_LIST = 'archives'
const PAGE_SIZE = 500

/**
 * Reads one workspace, a page of the workspaces that the actor can see (an API key: its own; an account: those it is a member
 * of), or a page of a workspace's archives. Newest first.
 * @throws AppError `invalid_request`, `forbidden`
 */
export async function readWorkspaces(db: Queries, actor: Actor, input: WorkspaceQueryInput) {
  if (input.archives) return listArchives(db, actor, input)
  if (input.id !== undefined) return readWorkspace(db, actor.workspaceId)
  const { page, before } = parseWorkspacesPage(WORKSPACES_LIST, input)
  const results =
    actor.kind === 'api_key'
      ? await db.all(workspacesByKey, { workspaceId: actor.workspaceId, before, limit: page.limit + 1 })
      : await db.all(workspacesByAccount, { accountId: actor.id, before, limit: page.limit + 1 })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  const jobs = await Promise.all(rows.map((row) => findNewestJob(db, row.id)))
  return {
    workspaces: rows.map(presentWorkspace),
    jobs: await presentJobs(
      db,
      jobs.filter((job) => job !== undefined),
    ),
    nextCursor,
  }
}

async function readWorkspace(db: Queries, workspaceId: string) {
  const workspace = presentWorkspace(await requireWorkspace(db, workspaceId))
  const job = await findNewestJob(db, workspaceId)
  return { workspace, job: job ? await presentJob(db, job) : null }
}

async function listArchives(db: Queries, actor: Actor, input: WorkspaceQueryInput) {
  if (actor.workspaceId === '') throw missingFields('id')
  const { workspaceId } = actor
  const { page, before } = parseWorkspacesPage(ARCHIVES_LIST, input)
  const results = await db.all(archivesByWorkspace, { workspaceId, before, limit: page.limit + 1 })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  return { archives: rows.map(presentArchive), nextCursor }
}

function parseWorkspacesPage(list: string, input: WorkspaceQueryInput) {
  const page = parsePage(list, input, ['string'])
  return { page, before: String(page.after?.[0] ?? MAX_ID) }
}

/** Lists every workspace of the instance with its owner's username, oldest first. */
export async function listAllWorkspaces(db: Queries) {
  const workspaces: (ReturnType<typeof presentWorkspace> & { owner: string })[] = []
  for (let after = ''; ; ) {
    const rows = await db.all(workspacesAfterId, { after, limit: PAGE_SIZE })
    workspaces.push(...rows.map((row) => ({ ...presentWorkspace(row), owner: row.owner })))
    if (rows.length < PAGE_SIZE) return { workspaces }
    after = rows.at(-1)?.id ?? ''
  }
}
