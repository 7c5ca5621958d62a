import { type Queries, statement } from '@reeve/db'
import { shownWorkspace } from './model.ts'

const PAGE = 500

const afterId = statement<{ after: string; limit: number }>()((sql, p) =>
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
export async function allWorkspaces(db: Queries) {
  const workspaces: (ReturnType<typeof shownWorkspace> & { owner: string })[] = []
  for (let after = ''; ; ) {
    const rows = await db.all(afterId, { after, limit: PAGE })
    workspaces.push(...rows.map((row) => ({ ...shownWorkspace(row), owner: row.owner })))
    if (rows.length < PAGE) return { workspaces }
    after = rows.at(-1)?.id ?? ''
  }
}
