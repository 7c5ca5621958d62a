import { type Actor, INBOX_PERMISSIONS, type Ports } from '@reeve/core'
import { createTimeSlicer, type Queries, statement } from '@reeve/db'
import { type InboxSource, MAX_INBOX_COUNT } from '../inbox/source.ts'
import { createOwnBanFinder } from './own-ban.ts'
import { loadAppealSettings } from './settings.ts'

const openAppeals = statement<{ workspaceId: string; now: number; after: string; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('appeal')
      .innerJoin('record', (join) =>
        join
          .onRef('record.workspace_id', '=', 'appeal.workspace_id')
          .onRef('record.id', '=', 'appeal.record_id'),
      )
      .select([
        'appeal.id',
        'appeal.submitted_at',
        'appeal.record_id',
        'appeal.case_number',
        'appeal.user_id',
        'appeal.user_username',
        'appeal.answers',
        'record.actor_kind',
        'record.actor_id',
        'record.actor_platform_user_id',
      ])
      .where('appeal.workspace_id', '=', p.workspaceId)
      .where('appeal.closed_at', 'is', null)
      .where((eb) =>
        eb.or([eb('appeal.ban_expires_at', 'is', null), eb('appeal.ban_expires_at', '>', p.now)]),
      )
      .where('appeal.id', '>', p.after)
      .orderBy('appeal.id')
      .limit(p.limit),
)
const firstPlayerMessage = statement<{ workspaceId: string; appealId: string }>({ isLookup: true })(
  (sql, p) =>
    sql
      .selectFrom('appeal_message')
      .select('text')
      .where('workspace_id', '=', p.workspaceId)
      .where('appeal_id', '=', p.appealId)
      .where('author', '=', 'player')
      .orderBy('id')
      .limit(1),
)

/** The open appeals that the actor may decide: not those of their own bans, unless the workspace allows it. Who waits longest is first. */
async function listDecidable(db: Queries, ports: Ports, actor: Actor, start: string, limit: number) {
  const { workspaceId } = actor
  const { allows_own_decision } = await loadAppealSettings(db, workspaceId)
  const now = ports.now()
  const findOwnBan = createOwnBanFinder(db, actor, now)
  const yieldIfDue = createTimeSlicer()
  const decidable = []
  for (let after = start; ; ) {
    const rows = await db.all(openAppeals, { workspaceId, now, after, limit })
    for (const row of rows) {
      const ban = { ...row, id: row.record_id }
      if (allows_own_decision === 1 || (await findOwnBan(ban)) === null) decidable.push(row)
      await yieldIfDue()
    }
    const last = rows.at(-1)
    if (!last || rows.length < limit || decidable.length >= limit) return decidable.slice(0, limit)
    after = last.id
  }
}

/** What the player wrote: the first answer, or the first message if they answered no question. */
async function findText(
  db: Queries,
  { workspaceId }: Actor,
  { id, answers }: { readonly id: string; readonly answers: string },
): Promise<string | undefined> {
  const [first] = JSON.parse(answers) as { answer: string }[]
  return first?.answer ?? (await db.first(firstPlayerMessage, { workspaceId, appealId: id }))?.text
}

/** The appeals that wait for a decision of the reader. Those of their own bans wait for somebody else. */
export const appealSource: InboxSource = {
  permission: INBOX_PERMISSIONS.appeals,
  claimKind: 'appeal',
  async count(db, ports, actor) {
    return (await listDecidable(db, ports, actor, '', MAX_INBOX_COUNT)).length
  },
  async list(db, ports, actor, { limit, after }) {
    const rows = await listDecidable(db, ports, actor, after?.id ?? '', limit)
    const texts = await Promise.all(rows.map((row) => findText(db, actor, row)))
    return rows.map((row, index) => ({
      id: row.id,
      at: row.submitted_at,
      sortTime: row.submitted_at,
      isRead: false,
      record: {
        id: row.record_id,
        case_number: row.case_number,
        action: 'ban',
        user_id: row.user_id,
        user_username: row.user_username,
      },
      text: texts[index] ?? null,
      actorId: null,
    }))
  },
}
