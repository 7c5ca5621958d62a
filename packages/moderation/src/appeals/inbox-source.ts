import { MAX_ID } from '@reeve/core'
import { statement } from '@reeve/db'
import { type InboxSource, MAX_INBOX_COUNT } from '../inbox/source.ts'

const openAppeals = statement<{ workspaceId: string; now: number; before: string; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('appeal')
      .select(['id', 'submitted_at', 'record_id', 'case_number', 'user_id', 'user_username', 'answers'])
      .where('workspace_id', '=', p.workspaceId)
      .where('closed_at', 'is', null)
      .where((eb) => eb.or([eb('ban_expires_at', 'is', null), eb('ban_expires_at', '>', p.now)]))
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
)

/** The appeals that wait for a decision. */
export const appealSource: InboxSource = {
  permission: 'appeals.decide',
  async count(db, ports, { workspaceId }) {
    const query = { workspaceId, now: ports.now(), before: MAX_ID, limit: MAX_INBOX_COUNT }
    return (await db.all(openAppeals, query)).length
  },
  async list(db, ports, { workspaceId }, { limit, after }) {
    const query = { workspaceId, now: ports.now(), before: after?.id ?? MAX_ID, limit }
    const rows = await db.all(openAppeals, query)
    return rows.map(({ id, submitted_at, record_id, answers, ...appeal }) => ({
      id,
      at: submitted_at,
      isRead: false,
      record: { ...appeal, id: record_id, action: 'ban' as const },
      text: (JSON.parse(answers) as { answer: string }[])[0]?.answer ?? null,
      actorId: null,
    }))
  },
}
