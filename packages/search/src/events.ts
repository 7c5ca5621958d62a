import { type Actor, hasPermission, type Ports, wire } from '@reeve/core'
import { mayContainWord, type Queries, statementFamily } from '@reeve/db'
import { selectBestMatches } from './rank.ts'
import { SCAN_LIMIT, type SearchText } from './search-text.ts'

const eventsByWord = statementFamily<
  { workspaceId: string; word: string; now: number; limit: number },
  { upcoming: boolean; drafts: boolean }
>()((sql, p, { upcoming, drafts }, dialect) => {
  const query = sql
    .selectFrom((eb) =>
      eb
        .selectFrom('event')
        .select((event) => [
          'id',
          'title',
          event.fn<string>('lower', ['title']).as('title_key'),
          'event_type',
          'scheduled_for',
          'published',
        ])
        .where('workspace_id', '=', p.workspaceId)
        .where('scheduled_for', upcoming ? '>=' : '<', p.now)
        .orderBy('scheduled_for', upcoming ? 'asc' : 'desc')
        .orderBy('id', upcoming ? 'asc' : 'desc')
        .limit(p.limit)
        .as('candidate'),
    )
    .select(['id', 'title', 'event_type', 'scheduled_for', 'published'])
    .where(mayContainWord(dialect, 'title_key', p.word))
    .orderBy('scheduled_for', upcoming ? 'asc' : 'desc')
    .orderBy('id')
  return drafts ? query : query.where('published', '=', 1)
})

/** Events by title: of equally good matches, upcoming ones come first, then the most recent ones. */
export async function findEvents(db: Queries, ports: Ports, actor: Actor, { q, word }: SearchText) {
  const drafts = hasPermission(actor, 'events.manage')
  const params = { workspaceId: actor.workspaceId, word, now: ports.now(), limit: SCAN_LIMIT }
  const upcoming = await db.all(eventsByWord({ upcoming: true, drafts }), params)
  const past = await db.all(eventsByWord({ upcoming: false, drafts }), params)
  return selectBestMatches([...upcoming, ...past], q, ({ title }) => [title]).map((row) => ({
    id: row.id,
    title: row.title,
    eventType: row.event_type,
    scheduledFor: wire.time.write(row.scheduled_for),
    published: wire.boolean.write(row.published === 1),
  }))
}
