import { type PlayerLinkTable, type Queries, statement } from '@reeve/db'

/** Queries for links. Each one uses an index on the player. */

interface PlayersQuery {
  readonly workspaceId: string
  readonly userIds: readonly string[]
}

export const linkById = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.selectFrom('player_link').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
export const linksById = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('player_link')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const linksByFirst = statement<PlayersQuery>()((sql, p, dialect) =>
  sql
    .selectFrom('player_link')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('first_user_id', p.userIds)),
)
const linksBySecond = statement<PlayersQuery>()((sql, p, dialect) =>
  sql
    .selectFrom('player_link')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('second_user_id', p.userIds)),
)

/** The links of these players. A link between two of them is in the list once. */
export async function listLinksOfPlayers(
  db: Queries,
  workspaceId: string,
  userIds: readonly string[],
): Promise<PlayerLinkTable[]> {
  const first = await db.all(linksByFirst, { workspaceId, userIds })
  const second = await db.all(linksBySecond, { workspaceId, userIds })
  const asked = new Set(userIds)
  return [...first, ...second.filter((row) => !asked.has(row.first_user_id))]
}

/** Orders links by the time of their creation, which their ids begin with. */
export const compareNewestFirst = (a: PlayerLinkTable, b: PlayerLinkTable): number => (a.id < b.id ? 1 : -1)
