import { type Actor, hasPermission, type Ports, paginate, parsePage, requireFields } from '@reeve/core'
import { type Queries, statement, type Transaction } from '@reeve/db'
import { listClaims } from '../claims/service.ts'
import { unreadMentions } from './mentions.ts'
import { type InboxQueryInput, type MarkMentionsInput, presentItem } from './model.ts'
import type { InboxItem } from './source.ts'
import { inboxSourceNames, inboxSources } from './sources.ts'

interface OwnMentions {
  readonly workspaceId: string
  readonly accountId: string
}

const idsOfRecord = statement<OwnMentions & { recordId: string }>()((sql, p) =>
  sql
    .selectFrom('mention')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId)
    .where('account_id', '=', p.accountId),
)
const markMentions = statement<OwnMentions & { ids: readonly string[]; readAt: number | null }>()(
  (sql, p, dialect) =>
    sql
      .updateTable('mention')
      .set({ read_at: p.readAt })
      .where('workspace_id', '=', p.workspaceId)
      .where('account_id', '=', p.accountId)
      .where(dialect.inList('id', p.ids)),
)

/** How many mentions one request marks, so that it takes no longer for those of years. */
const MARKED_AT_ONCE = 500

/** How much waits for the actor, by kind. Kinds that the actor may not see are left out. */
export async function countInbox(db: Queries, ports: Ports, actor: Actor) {
  const counts: { source: string; count: string }[] = []
  for (const name of inboxSourceNames) {
    const { permission, count } = inboxSources[name]
    if (!hasPermission(actor, permission)) continue
    counts.push({ source: name, count: String(await count(db, ports, actor)) })
  }
  return { counts }
}

/** A page of what waits for the actor, and who works on it. */
export async function listInbox(db: Queries, ports: Ports, actor: Actor, query: InboxQueryInput) {
  const { source } = requireFields(query, 'source')
  const page = parsePage('inbox', query, ['number', 'string'])
  const [sortTime, id] = page.after ?? []
  const { claimKind, list } = inboxSources[source]
  const items = await list(db, ports, actor, {
    limit: page.limit + 1,
    after: id === undefined ? null : { sortTime: Number(sortTime), id: String(id) },
  })
  const targetId = (item: InboxItem) => (claimKind === 'appeal' ? item.id : item.record.id)
  const claims = await listClaims(db, ports, actor.workspaceId, claimKind, [...new Set(items.map(targetId))])
  const claimByTarget = new Map(claims.map((claim) => [claim.targetId, claim]))
  const { rows, nextCursor } = paginate(
    items,
    page,
    (item) => [item.sortTime, item.id],
    (item) => presentItem(source, item, claimByTarget.get(targetId(item)) ?? null),
  )
  return { items: rows, nextCursor }
}

/**
 * Marks mentions of the actor as read or unread: some of them, those of a record, or, as read, all that are unread.
 * @returns how much waits afterwards
 * @throws AppError `invalid_request` if all are to be marked as unread
 */
export async function markOwnMentions(tx: Transaction, ports: Ports, actor: Actor, input: MarkMentionsInput) {
  const { read = true } = input
  const own = { workspaceId: actor.workspaceId, accountId: actor.id }
  if (!read && input.recordId === undefined) requireFields(input, 'ids')
  const ids = input.ids ?? (await listIds(tx, own, input.recordId))
  const changed = await tx.run(markMentions, { ...own, ids, readAt: read ? ports.now() : null })
  if (changed > 0) tx.announce({ kind: 'mention', workspaceId: actor.workspaceId, id: actor.id })
  return countInbox(tx, ports, actor)
}

async function listIds(db: Queries, own: OwnMentions, recordId: string | undefined): Promise<string[]> {
  const rows =
    recordId === undefined
      ? await db.all(unreadMentions, { ...own, limit: MARKED_AT_ONCE })
      : await db.all(idsOfRecord, { ...own, recordId })
  return rows.map(({ id }) => id)
}
