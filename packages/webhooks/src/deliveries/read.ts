import { type Actor, AppError, MAX_ID, paginate, parsePage, requireFields } from '@reeve/core'
import {
  columnsExcept,
  type DeliveryTable,
  type Queries,
  type Sql,
  sqlLiteral,
  statement,
  statementFamily,
} from '@reeve/db'
import { requireWebhook, type WebhookRow } from '../store.ts'
import { type DeliveryQueryInput, presentDelivery, presentDeliveryWithContent } from './model.ts'

const byId = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('delivery').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
interface PageParams {
  readonly workspaceId: string
  readonly targetId: string
  readonly before: string
  readonly limit: number
}
const newestOfState = (sql: Sql, p: PageParams, state: DeliveryTable['state']) =>
  sql
    .selectFrom('delivery')
    .select(columnsExcept('delivery', 'payload', 'response'))
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId)
    // There is an index for each state.
    .where('state', '=', sqlLiteral(state))
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit)
const newestFirst = statementFamily<PageParams, { state: DeliveryTable['state'] | null }>()(
  (sql, p, { state }) => {
    if (state !== null) return newestOfState(sql, p, state)
    const select = (one: DeliveryTable['state']) =>
      sql.selectFrom(newestOfState(sql, p, one).as('newest')).selectAll()
    return select('pending')
      .unionAll(select('delivered'))
      .unionAll(select('failed'))
      .orderBy('id', 'desc')
      .limit(p.limit)
  },
)

const LIST = 'deliveries'

/** A delivery of the actor's workspace, and its webhook. @throws AppError `not_found` */
export async function requireDelivery(
  db: Queries,
  actor: Actor,
  id: string,
): Promise<{ readonly delivery: DeliveryTable; readonly webhook: WebhookRow }> {
  const row = await db.first(byId, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  // The deliveries of a deleted webhook wait for the cleanup job.
  const webhook = await requireWebhook(db, { workspaceId: actor.workspaceId, id: row.target_id })
  return { delivery: row, webhook }
}

/** Returns one delivery with its body and response. @throws AppError `not_found` */
export async function getDelivery(db: Queries, actor: Actor, id: string) {
  const { delivery, webhook } = await requireDelivery(db, actor, id)
  return { delivery: presentDeliveryWithContent(delivery, webhook, actor) }
}

/** Returns a page of the deliveries of a webhook, newest first. @throws AppError `not_found`, `invalid_request` */
export async function listDeliveries(db: Queries, actor: Actor, input: DeliveryQueryInput) {
  const { webhookId } = requireFields(input, 'webhookId')
  const { workspaceId } = actor
  const webhook = await requireWebhook(db, { workspaceId, id: webhookId })
  const page = parsePage(LIST, input, ['string'])
  const fetched = await db.all(newestFirst({ state: input.state ?? null }), {
    workspaceId,
    targetId: webhookId,
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(fetched, page, (row) => [row.id])
  return { deliveries: rows.map((row) => presentDelivery(row, webhook)), nextCursor }
}
