import { findLastSequence } from '@reeve/audit'
import { wire } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { type ActivityCount, countEntries, ENTRIES_PER_PAGE, newestEntries } from './activity-entries.ts'
import { type Day, listLastDays } from './days.ts'
import type { Overview } from './model.ts'

/** The number of days of the charts, including today. */
const CHART_DAYS = 30

/** The actions of the charts. */
const BAN = 'moderation.ban'
const WARN = 'moderation.warn'

interface Params {
  readonly workspaceId: string
  /** The start of the first day of the charts, the start of today and its end. */
  readonly firstDay: number
  readonly today: number
  readonly tomorrow: number
}

/**
 * The stored counts: those of the charts without an actor, those of today by actor, and the sequence that they include. One
 * statement, so that the sequence fits the counts while the job adds to them.
 */
const storedCounts = statement<Params>()((sql, p) =>
  sql
    .selectFrom('activity')
    .select((eb) => [
      'action',
      'quarter',
      'count',
      eb.val('').as('actor_kind'),
      eb.val('').as('actor_id'),
      eb.val('').as('actor_name'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('action', 'in', [BAN, WARN])
    .where('quarter', '>=', p.firstDay)
    .where('quarter', '<', p.tomorrow)
    .unionAll(
      sql
        .selectFrom('activity_by_actor')
        .select(['action', 'quarter', 'count', 'actor_kind', 'actor_id', 'actor_name'])
        .where('workspace_id', '=', p.workspaceId)
        .where('quarter', '>=', p.today)
        .where('quarter', '<', p.tomorrow),
    )
    .unionAll(
      sql
        .selectFrom('activity_progress')
        .select((eb) => [
          eb.val('').as('action'),
          eb.lit(0).as('quarter'),
          'sequence as count',
          eb.val('').as('actor_kind'),
          eb.val('').as('actor_id'),
          eb.val('').as('actor_name'),
        ])
        .where('workspace_id', '=', p.workspaceId),
    ),
)

/**
 * Counts the moderation actions of today, by action and by actor in descending order, and the bans and warnings per day of the
 * last 30 days. Counts are exact: entries of the audit log that the job has not yet counted are counted here.
 * @param timeZone in which days begin
 */
export async function readActivity(
  db: Queries,
  workspaceId: string,
  now: number,
  timeZone: string,
): Promise<NonNullable<Overview['done']>> {
  const days = listLastDays(now, timeZone, CHART_DAYS)
  const { from: firstDay } = days[0] as Day
  const today = days.at(-1) as Day
  const stored = await db.all(storedCounts, { workspaceId, firstDay, today: today.from, tomorrow: today.to })
  const summarized = stored.find(({ action }) => action === '')?.count ?? 0
  const sums = createSums(days)
  for await (const counts of readNewCounts(db, workspaceId, summarized, firstDay)) {
    for (const count of counts) {
      sums.addToDay(count)
      if (count.quarter >= today.from && count.quarter < today.to) sums.addToday(count)
    }
  }
  // Newest first, so that the first name of an actor is the last one.
  for (const count of stored.toSorted((a, b) => b.quarter - a.quarter)) {
    if (isByActor(count)) sums.addToday(count)
    else sums.addToDay(count)
  }
  return {
    from: wire.time.write(today.from),
    to: wire.time.write(today.to),
    ...sums.present(),
  }
}

const isByActor = (row: Omit<ActivityCount, 'actor_kind'> & { actor_kind: string }): row is ActivityCount =>
  row.actor_id !== ''

/**
 * Counts the audit entries after a sequence, page by page, newest first and back to a time. Usually few: the job leaves some
 * hundreds, and more only in its first run after an upgrade.
 */
async function* readNewCounts(db: Queries, workspaceId: string, after: number, since: number) {
  for (let before = (await findLastSequence(db, workspaceId)) + 1; ; ) {
    const entries = await db.all(newestEntries, { workspaceId, after, before, limit: ENTRIES_PER_PAGE })
    yield countEntries(entries.toReversed()).toReversed()
    before = entries.at(-1)?.sequence ?? 0
    // A whole page, because entries from before a clock was set back can be out of order.
    if (entries.length < ENTRIES_PER_PAGE || entries.every(({ at }) => at < since)) return
    await yieldToEventLoop()
  }
}

type Count = Pick<ActivityCount, 'action' | 'quarter' | 'count'>

/** Sums of counts: of each day, and of today by action and by actor. */
function createSums(days: readonly Day[]) {
  const perDay = days.map((day) => ({ ...day, bans: 0, warnings: 0 }))
  const actions = new Map<string, { readonly action: string; count: number }>()
  const actors = new Map<string, Pick<ActivityCount, 'actor_kind' | 'actor_id' | 'actor_name' | 'count'>>()
  return {
    addToDay({ action, quarter, count }: Count): void {
      if (action !== BAN && action !== WARN) return
      const day = perDay.find(({ from, to }) => quarter >= from && quarter < to)
      if (day) day[action === BAN ? 'bans' : 'warnings'] += count
    },
    /** Call it with the newest counts first. */
    addToday({ action, count, actor_kind, actor_id, actor_name }: ActivityCount): void {
      const ofAction = actions.get(action) ?? { action, count: 0 }
      ofAction.count += count
      actions.set(action, ofAction)
      const key = `${actor_kind} ${actor_id}`
      const ofActor = actors.get(key) ?? { actor_kind, actor_id, actor_name, count: 0 }
      ofActor.count += count
      actors.set(key, ofActor)
    },
    present: () => ({
      count: String([...actions.values()].reduce((total, { count }) => total + count, 0)),
      actions: sortByCount(actions).map(({ action, count }) => ({
        action: action.slice(action.indexOf('.') + 1),
        count: String(count),
      })),
      actors: sortByCount(actors).map((actor) => ({
        actorKind: actor.actor_kind,
        actorId: actor.actor_id,
        actorName: actor.actor_name,
        count: String(actor.count),
      })),
      days: perDay.map(({ from, to, bans, warnings }) => ({
        from: wire.time.write(from),
        to: wire.time.write(to),
        bans: String(bans),
        warnings: String(warnings),
      })),
    }),
  }
}

const sortByCount = <Entry extends { count: number }>(entries: ReadonlyMap<string, Entry>): Entry[] =>
  [...entries.values()].toSorted((entry, next) => next.count - entry.count)
