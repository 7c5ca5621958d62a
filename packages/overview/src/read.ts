import { countOrphanedKeys, getCreatorStatus } from '@reeve/auth'
import {
  type Actor,
  DAY_MS,
  HOUR_MS,
  hasPermission,
  MAX_EVENT_DAYS,
  type Permission,
  type Ports,
  wire,
} from '@reeve/core'
import {
  isUsableKey,
  type Queries,
  selectWebhookCreator,
  sqlLiteral,
  statement,
  statementFamily,
} from '@reeve/db'
import type { Meter } from '@reeve/metering'
import { readActivity } from './activity.ts'
import { findFirstSteps } from './first-steps.ts'
import type { Overview, OverviewQueryInput } from './model.ts'

const UPCOMING_LIMIT = 5

const activeSanctions = statement<{ workspaceId: string; now: number }>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_in_force_by_case'))
    .select((eb) => [
      'action',
      eb.fn.countAll<number>().as('count'),
      eb.fn.min<number | null>('expires_at').as('next_expiry_at'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('action', 'in', [sqlLiteral('ban'), sqlLiteral('mute')])
    .where((eb) => eb('in_force', '=', eb.lit(1)))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
    .groupBy('action'),
)
const upcomingEvents = statementFamily<
  { workspaceId: string; from: number; now: number; limit: number },
  { drafts: boolean }
>()((sql, p, { drafts }) => {
  const query = sql
    .selectFrom('event')
    .select(['id', 'title', 'event_type', 'scheduled_for', 'ends_at', 'published'])
    .where('workspace_id', '=', p.workspaceId)
    .where('scheduled_for', '>=', p.from)
    .where('ends_at', '>', p.now)
    .orderBy('scheduled_for')
    .orderBy('id')
    .limit(p.limit)
  return drafts ? query : query.where('published', '=', 1)
})
const workspaceQuota = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('monthly_quota').where('id', '=', p.workspaceId),
)
const restrictedEndpoints = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['endpoint', 'mode', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where('mode', '!=', 'on')
    .orderBy('endpoint'),
)

/** At least as many as a workspace can have. */
const MAX_WEBHOOKS = 50
const newestWebhooks = statement<{ workspaceId: string; limit: number }>()((sql, p) =>
  selectWebhookCreator(sql)
    .select(['webhook.id', 'webhook.name', 'webhook.state', 'webhook.state_reason', 'webhook.failing_since'])
    .where('webhook.workspace_id', '=', p.workspaceId)
    .where('webhook.deleted_at', 'is', null)
    .orderBy('webhook.id', 'desc')
    .limit(p.limit),
)

const keysToConfirm = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', p.workspaceId)
    .where('restored_at', 'is not', null)
    .where((eb) => isUsableKey(eb, p.now)),
)

/** The state of a workspace; parts that the actor cannot view are null. */
export async function readOverview(
  db: Queries,
  meter: Meter,
  ports: Ports,
  actor: Actor,
  input: OverviewQueryInput,
): Promise<Overview> {
  const { workspaceId } = actor
  const now = ports.now()
  const ifPermitted = async <Part>(
    permission: Permission,
    read: () => Promise<Part>,
  ): Promise<Part | null> => (hasPermission(actor, permission) ? read() : null)
  return {
    inForce: await ifPermitted('moderation.view', () => countActiveSanctions(db, workspaceId, now)),
    done: await ifPermitted('moderation.view', () =>
      readActivity(db, workspaceId, now, input.timeZone ?? 'UTC'),
    ),
    nextEvents: await ifPermitted('events.view', () => listUpcomingEvents(db, actor, now)),
    usage: await ifPermitted('usage.view', () => readMonthlyUsage(db, meter, workspaceId)),
    endpoints: await ifPermitted('endpoint_controls.view', () =>
      db.all(restrictedEndpoints, { workspaceId }),
    ),
    webhooks: await ifPermitted('webhooks.manage', () => listWebhooksToCheck(db, workspaceId, now)),
    keysToConfirm: await ifPermitted('api_keys.manage', async () =>
      String((await db.first(keysToConfirm, { workspaceId, now }))?.count ?? 0),
    ),
    orphanedKeys: await ifPermitted('api_keys.manage', async () =>
      String(await countOrphanedKeys(db, { workspaceId, now })),
    ),
    firstSteps: await findFirstSteps(db, actor),
  }
}

async function countActiveSanctions(db: Queries, workspaceId: string, now: number) {
  const rows = await db.all(activeSanctions, { workspaceId, now })
  const count = (action: 'ban' | 'mute') => String(rows.find((row) => row.action === action)?.count ?? 0)
  const expiryTimes = rows.flatMap(({ next_expiry_at }) => next_expiry_at ?? [])
  return {
    bans: count('ban'),
    mutes: count('mute'),
    nextExpiryAt: wire.writeNullableTime(expiryTimes.length === 0 ? null : Math.min(...expiryTimes)),
  }
}

async function listUpcomingEvents(db: Queries, actor: Actor, now: number) {
  const rows = await db.all(upcomingEvents({ drafts: hasPermission(actor, 'events.manage') }), {
    workspaceId: actor.workspaceId,
    from: now - MAX_EVENT_DAYS * DAY_MS,
    now,
    limit: UPCOMING_LIMIT,
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

/** The webhooks that somebody has to look after. A receiver that restarts is none of them. */
async function listWebhooksToCheck(db: Queries, workspaceId: string, now: number) {
  const rows = await db.all(newestWebhooks, { workspaceId, limit: MAX_WEBHOOKS })
  return rows.flatMap((row) => {
    const { id, name, state, state_reason: stateReason, failing_since } = row
    const isFailing = failing_since !== null && failing_since <= now - HOUR_MS
    const creatorStatus = getCreatorStatus(row)
    const isToCheck =
      stateReason !== null || (state === 'active' && (isFailing || creatorStatus !== 'member'))
    return isToCheck ? [{ id, name, state, stateReason, creatorStatus }] : []
  })
}

async function readMonthlyUsage(db: Queries, meter: Meter, workspaceId: string) {
  const workspace = await db.first(workspaceQuota, { workspaceId })
  const quota = workspace?.monthly_quota ?? null
  return {
    calls: String(await meter.countThisMonth(workspaceId)),
    quota: quota === null ? null : String(quota),
  }
}
