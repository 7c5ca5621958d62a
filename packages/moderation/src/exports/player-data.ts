import { type Actor, LOWEST_ID, listPlayerKeys, type Ports, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { presentAppeal } from '../appeals/model.ts'
import { getAppealState } from '../appeals/rules.ts'
import { findMessages } from '../appeals/store.ts'
import { presentLink } from '../links/model.ts'
import { listLinksOfPlayers } from '../links/queries.ts'
import { listPinnedNotes } from '../pins/service.ts'
import { listNames } from '../players/queries.ts'
import { exportRecords } from './export-records.ts'

interface Players {
  readonly workspaceId: string
  readonly userIds: readonly string[]
}

const appealsAfter = statement<Players & { after: string; limit: number }>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)
const linkedAccounts = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom('member_player')
    .select(['account_id', 'linked_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)

/** Appeals that are in memory at a time, each with its messages. */
const APPEALS_PER_PAGE = 20

async function* readAppeals(db: Queries, players: Players, now: number): AsyncGenerator<string> {
  for (let after = LOWEST_ID; ; ) {
    const rows = await db.all(appealsAfter, { ...players, after, limit: APPEALS_PER_PAGE })
    for (const row of rows) {
      const messages = await findMessages(db, row)
      yield JSON.stringify({
        ...presentAppeal(row, getAppealState(row, now)),
        answers: JSON.parse(row.answers),
        messages: messages.map(({ id, author, text, created_at, is_internal }) => ({
          id,
          author,
          internal: wire.boolean.write(is_internal === 1),
          text,
          createdAt: wire.time.write(created_at),
        })),
      })
      after = row.id
    }
    if (rows.length < APPEALS_PER_PAGE) return
  }
}

async function* toArray(items: AsyncGenerator<string>): AsyncGenerator<string> {
  let separator = ''
  for await (const item of items) {
    yield separator + item
    separator = ','
  }
}

/**
 * Everything that is stored about a player in a workspace as one JSON object, in parts: records with earlier versions, appeals with all
 * messages, pinned notes, links, names, and the members that are linked to the player. Evidence files are listed, not contained.
 * @param userId in the form of `resolvePlayerId`
 */
export async function* exportPlayerData(
  db: Queries,
  ports: Pick<Ports, 'now'>,
  actor: Pick<Actor, 'workspaceId' | 'platforms'>,
  userId: string,
): AsyncGenerator<string> {
  const now = ports.now()
  const { workspaceId } = actor
  const players = { workspaceId, userIds: listPlayerKeys(userId, actor.platforms) }
  const head = JSON.stringify({ userId, workspaceId, exportedAt: wire.time.write(now) })
  yield `${head.slice(0, -1)},"records":[`
  yield* toArray(exportRecords(db, ports, actor, userId))
  yield '],"appeals":['
  yield* toArray(readAppeals(db, players, now))
  const pinnedNotes = await listPinnedNotes(db, actor, userId)
  const links = await listLinksOfPlayers(db, workspaceId, players.userIds)
  const names = await listNames(db, workspaceId, players.userIds)
  const accounts = await db.all(linkedAccounts, players)
  const rest = JSON.stringify({
    pinnedNotes,
    links: links.map((row) => presentLink(row)),
    names: [...names.values()].flat().map(({ name }) => name),
    linkedAccounts: accounts.map(({ account_id, linked_at }) => ({
      accountId: account_id,
      linkedAt: wire.time.write(linked_at),
    })),
  })
  yield `],${rest.slice(1)}`
}
