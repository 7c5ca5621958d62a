import { type Actor, allows, type Permission, type Ports, wire } from '@reeve/core'
import { literal, type Queries, statement, statementFamily } from '@reeve/db'
import type { Meter } from '@reeve/metering'
import { doneIn } from './done.ts'
import { firstStepsIn } from './first-steps.ts'
import type { Overview, OverviewQueryInput } from './model.ts'

const DAY = 24 * 3_600_000
const NEXT_EVENTS = 5
/** An event that began longer ago than this is not looked for, so that the search begins at a place in the index. */
const LONGEST_EVENT = 31 * DAY

const inForce = statement<{ workspaceId: string; now: number }>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.through('record', 'record_in_force_by_case'))
    .select((eb) => ['action', eb.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', p.workspaceId)
    .where('action', 'in', [literal('ban'), literal('mute')])
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
    .groupBy('action'),
)
const nextEvents = statementFamily<
  { workspaceId: string; from: number; now: number; limit: number },
  { drafts: boolean }
>()((sql, p, { drafts }) => {
  const found = sql
    .selectFrom('event')
    .select(['id', 'title', 'event_type', 'scheduled_for', 'ends_at', 'published'])
    .where('workspace_id', '=', p.workspaceId)
    .where('scheduled_for', '>=', p.from)
    .where('ends_at', '>', p.now)
    .orderBy('scheduled_for')
    .orderBy('id')
    .limit(p.limit)
  return drafts ? found : found.where('published', '=', 1)
})
const quotaOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('monthly_quota').where('id', '=', p.workspaceId),
)
const switched = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['endpoint', 'mode', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where('mode', '!=', 'on')
    .orderBy('endpoint'),
)

/** The state of a workspace, each part for those who may see it. */
export async function readOverview(
  db: Queries,
  meter: Meter,
  ports: Ports,
  actor: Actor,
  input: OverviewQueryInput,
): Promise<Overview> {
  const { workspaceId } = actor
  const now = ports.now()
  const seen = async <Part>(permission: Permission, read: () => Promise<Part>): Promise<Part | null> =>
    allows(actor, permission) ? read() : null
  return {
    inForce: await seen('moderation.view', () => countsInForce(db, workspaceId, now)),
    done: await seen('moderation.view', () => doneIn(db, workspaceId, input.since ?? now - DAY)),
    nextEvents: await seen('events.view', () => eventsAhead(db, actor, now)),
    usage: await seen('usage.view', () => monthOf(db, meter, workspaceId)),
    endpoints: await seen('endpoint_controls.view', () => db.all(switched, { workspaceId })),
    firstSteps: await firstStepsIn(db, actor),
  }
}

async function countsInForce(db: Queries, workspaceId: string, now: number) {
  const rows = await db.all(inForce, { workspaceId, now })
  const count = (action: 'ban' | 'mute') => String(rows.find((row) => row.action === action)?.count ?? 0)
  return { bans: count('ban'), mutes: count('mute') }
}

async function eventsAhead(db: Queries, actor: Actor, now: number) {
  const rows = await db.all(nextEvents({ drafts: allows(actor, 'events.manage') }), {
    workspaceId: actor.workspaceId,
    from: now - LONGEST_EVENT,
    now,
    limit: NEXT_EVENTS,
  })
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    eventType: row.event_type,
    scheduledFor: wire.time.write(row.scheduled_for),
    endsAt: wire.time.write(row.ends_at),
    published: wire.boolean.write(row.published === 1),
  }))
}

async function monthOf(db: Queries, meter: Meter, workspaceId: string) {
  const workspace = await db.first(quotaOf, { workspaceId })
  const quota = workspace?.monthly_quota ?? null
  return {
    calls: String(await meter.callsThisMonth(workspaceId)),
    quota: quota === null ? null : String(quota),
  }
}
