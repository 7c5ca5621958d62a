import {
  type Actor,
  AppError,
  hasPermission,
  invalidRequest,
  type Ports,
  paginate,
  parsePage,
} from '@reeve/core'
import { type EventTable, type Queries, statement, statementFamily } from '@reeve/db'
import { createImageUrlCodec } from './images/event-image.ts'
import { type EventPorts, type EventQueryInput, presentEvent } from './model.ts'
import type { EventStatus } from './schedule.ts'

export const eventById = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.selectFrom('event').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

interface ListParams {
  workspaceId: string
  limit: number
  /** The first time of the page (inclusive), and the id after which it starts at that time. */
  from: number
  afterId: string
  to: number
  endsAfter: number
  now: number
  eventType: EventTable['event_type']
  published: number
}
type ListShape = { endsAfter: boolean; eventType: boolean; published: boolean; status: EventStatus | null }

const eventsPage = statementFamily<ListParams, ListShape>()((sql, p, shape) => {
  // A separate lower bound lets the index start there; the last condition continues among events of the same time.
  let query = sql
    .selectFrom('event')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('scheduled_for', '>=', p.from)
    .where('scheduled_for', '<', p.to)
    .where((eb) => eb.or([eb('scheduled_for', '>', p.from), eb('id', '>', p.afterId)]))
  if (shape.endsAfter) query = query.where('ends_at', '>', p.endsAfter)
  if (shape.eventType) query = query.where('event_type', '=', p.eventType)
  if (shape.published) query = query.where('published', '=', p.published)
  if (shape.status !== null) {
    query = query.where('published', '=', shape.status === 'draft' ? 0 : 1)
    const start = sql.fn.coalesce('training_start', 'scheduled_for')
    if (shape.status === 'scheduled') query = query.where(start, '>', p.now)
    if (shape.status === 'live') query = query.where(start, '<=', p.now).where('ends_at', '>', p.now)
    if (shape.status === 'ended') query = query.where('ends_at', '<=', p.now)
  }
  return query.orderBy('scheduled_for').orderBy('id').limit(p.limit)
})

const LIST = 'events'

/** Returns one event. A draft requires the permission `events.manage`. @throws AppError `not_found` */
export async function getEvent(
  db: Queries,
  ports: EventPorts,
  actor: Actor,
  input: EventQueryInput & { id: string },
) {
  const row = await db.first(eventById, { workspaceId: actor.workspaceId, id: input.id })
  if (!row || (row.published === 0 && !hasPermission(actor, 'events.manage'))) throw new AppError('not_found')
  return { event: presentEvent(row, ports.now(), ports.imageUrlCodec) }
}

/** An event as the API returns it, also a draft; null if it does not exist. */
export async function findEvent(db: Queries, ports: Ports, publicUrl: URL, workspaceId: string, id: string) {
  const row = await db.first(eventById, { workspaceId, id })
  return row ? presentEvent(row, ports.now(), createImageUrlCodec(publicUrl)) : null
}

/** Returns a page of events, soonest first. Drafts require the permission `events.manage` and are omitted without it. */
export async function listEvents(db: Queries, ports: EventPorts, actor: Actor, input: EventQueryInput) {
  const page = parsePage(LIST, input, ['number', 'string'])
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = input
  if (from >= to) throw invalidRequest({ field: 'to', message: 'must be later than from' })
  const canSeeDrafts = hasPermission(actor, 'events.manage')
  if (!canSeeDrafts && input.published === false) return { events: [], nextCursor: null }
  const [time, id] = page.after ?? [0, '']
  const now = ports.now()
  const fetched = await db.all(
    eventsPage({
      endsAfter: input.endsAfter !== undefined,
      eventType: input.eventType !== undefined,
      published: input.published !== undefined || !canSeeDrafts,
      status: input.status ?? null,
    }),
    {
      workspaceId: actor.workspaceId,
      limit: page.limit + 1,
      from: Math.max(from, Number(time)),
      afterId: from > Number(time) ? '' : String(id),
      to,
      endsAfter: input.endsAfter ?? 0,
      now,
      eventType: input.eventType ?? 'event',
      published: Number(input.published ?? true),
    },
  )
  const { rows: events, nextCursor } = paginate(
    fetched,
    page,
    (row) => [row.scheduled_for, row.id],
    (row) => presentEvent(row, now, ports.imageUrlCodec),
  )
  return { events, nextCursor }
}
