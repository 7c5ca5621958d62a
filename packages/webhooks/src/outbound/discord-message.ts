import { type DeliveryTable, type Queries, statement, type WebhookTable } from '@reeve/db'

interface SentAbout {
  readonly workspaceId: string
  readonly targetId: string
  readonly resourceId: string
  readonly kind: string
}

const messageAbout = statement<SentAbout>()((sql, p) =>
  sql
    .selectFrom('delivery')
    .select('message_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('resource_id', '=', p.resourceId)
    .where('target_id', '=', p.targetId)
    .where('kind', '=', p.kind)
    .where('message_id', 'is not', null)
    // A ban that is in force again has a message of its own.
    .orderBy('id', 'desc')
    .limit(1),
)
const EVENT_COLUMNS = [
  'workspace_id',
  'id',
  'resource_id',
  'kind',
  'payload',
  'message_id',
  'created_at',
] as const
/** The part of a delivery that decides what a message says. */
type EventDelivery = Pick<DeliveryTable, (typeof EVENT_COLUMNS)[number]>
const deliveredAfter = statement<SentAbout & { id: string }>()((sql, p) =>
  sql
    .selectFrom('delivery')
    .select(EVENT_COLUMNS)
    .where('workspace_id', '=', p.workspaceId)
    .where('resource_id', '=', p.resourceId)
    .where('target_id', '=', p.targetId)
    .where('kind', '=', p.kind)
    .where('state', '=', 'delivered')
    .where('id', '>', p.id)
    .orderBy('id')
    .limit(1),
)

/** The event that creates the message which the event that ends it edits. */
const CREATED_BY: Readonly<Record<string, string>> = {
  'ban.ended': 'ban.created',
  'record.ended': 'record.created',
}
const ENDED_BY: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CREATED_BY).map(([ended, created]) => [created, ended]),
)

/**
 * What a channel is told when a delivery is sent: the end of a ban or record edits the message about it. A delivery that is sent after that
 * of the end, because its first attempt failed, repeats the end: otherwise the channel would say that the ban is in force.
 * @returns the event that the message is about, and the message to edit; null if there is none
 */
export async function findMessage(
  db: Queries,
  webhook: Pick<WebhookTable, 'workspace_id' | 'id'>,
  delivery: EventDelivery,
): Promise<{ readonly event: EventDelivery; readonly discordMessageId: string | null }> {
  const { kind, resource_id: resourceId } = delivery
  const about = { workspaceId: webhook.workspace_id, targetId: webhook.id }
  const createdBy = CREATED_BY[kind]
  const endedBy = ENDED_BY[kind]
  if (createdBy !== undefined && resourceId !== null) {
    const message = await db.first(messageAbout, { ...about, resourceId, kind: createdBy })
    return { event: delivery, discordMessageId: message?.message_id ?? null }
  }
  const event =
    endedBy !== undefined && resourceId !== null
      ? await db.first(deliveredAfter, { ...about, resourceId, kind: endedBy, id: delivery.id })
      : undefined
  if (!event) return { event: delivery, discordMessageId: null }
  return { event, discordMessageId: event.message_id ?? delivery.message_id }
}
