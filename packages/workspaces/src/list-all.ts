import { type Queries, statement } from '@reeve/db'
import { presentWorkspace } from './model.ts'

const PAGE_SIZE = 500

const workspacesAfterId = statement<{ after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .innerJoin('account', 'account.id', 'workspace.owner_id')
    .selectAll('workspace')
    .select('account.username as owner')
    .where('workspace.id', '>', p.after)
    .orderBy('workspace.id')
    .limit(p.limit),
)

/** Every workspace of the instance with its owner's username, oldest first: for whoever runs it. */
export async function listAllWorkspaces(db: Queries) {
  const workspaces: (ReturnType<typeof presentWorkspace> & { owner: string })[] = []
  for (let after = ''; ; ) {
    const rows = await db.all(workspacesAfterId, { after, limit: PAGE_SIZE })
    workspaces.push(...rows.map((row) => ({ ...presentWorkspace(row), owner: row.owner })))
    if (rows.length < PAGE_SIZE) return { workspaces }
    after = rows.at(-1)?.id ?? ''
  }
}
