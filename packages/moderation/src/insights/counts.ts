import { DAY_MS, MINUTE_MS } from '@reeve/core'
import { IMPORTS_ACTOR, type Queries, sqlLiteral, statement, yieldToEventLoop } from '@reeve/db'

/** Reads the daily counts, in statements of a few days, between which other requests run. */

/** Days that one statement reads: a few milliseconds, even if every reason is another one. */
const DAYS_PER_STATEMENT = 7

/** Days since 1970 in UTC: `from` is inclusive, `to` exclusive. */
export interface DayRange {
  readonly workspaceId: string
  readonly from: number
  readonly to: number
}

const countsOfActors = statement<DayRange>()((sql, p) =>
  sql
    .selectFrom('record_count')
    .select(['day', 'actor_id', 'bans', 'mutes', 'warnings', 'kicks', 'lifted'])
    .where('workspace_id', '=', p.workspaceId)
    .where('day', '>=', p.from)
    .where('day', '<', p.to),
)

const appealedOfActors = statement<DayRange>()((sql, p) =>
  sql
    .selectFrom('appealed_ban')
    .select((eb) => ['day', 'actor_id', eb.fn.countAll<number>().as('appealed')])
    .where('workspace_id', '=', p.workspaceId)
    .where('day', '>=', p.from)
    .where('day', '<', p.to)
    .groupBy(['day', 'actor_id']),
)

/** Processes of version 1.0.0, next to this one, count imported records by the ID of the import, whose start is in the audit log. */
const importsAmong = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('audit')
    .select('target_id')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('target_id', p.ids))
    .where('target_kind', '=', sqlLiteral('import'))
    .groupBy('target_id'),
)

/** Times in whole minutes; null while nobody has responded. */
const waits = statement<DayRange>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('response_time', 'response_time_by_start'))
    .select((eb) => [
      'kind',
      eb(eb.parens('responded_at', '-', eb.ref('opened_at')), '/', eb.lit(MINUTE_MS)).as('minutes'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('workspace_id', '=', p.workspaceId)
    .where('opened_at', '>=', p.from)
    .where('opened_at', '<', p.to)
    .groupBy(['kind', 'minutes']),
)

const names = ['bans', 'mutes', 'warnings', 'kicks', 'lifted', 'appealed'] as const

/** How often each action was taken, how many of them were lifted, and how many bans were appealed. */
export type Counts = Record<(typeof names)[number], number>

export const createCounts = (): Counts => ({
  bans: 0,
  mutes: 0,
  warnings: 0,
  kicks: 0,
  lifted: 0,
  appealed: 0,
})

/** Adds counts, which a database server returns as texts if it has summed them. */
export function addCounts(sum: Counts, added: Partial<Counts>): void {
  for (const name of names) sum[name] += Number(added[name] ?? 0)
}

/** How many actions these are. */
export const sumActions = ({ bans, mutes, warnings, kicks }: Counts): number =>
  bans + mutes + warnings + kicks

/** The counts of a key, created when it is first asked for. */
export function getCounts<Key>(map: Map<Key, Counts>, key: Key): Counts {
  const known = map.get(key)
  if (known) return known
  const created = createCounts()
  map.set(key, created)
  return created
}

/** Runs a function for each part of a range, with pauses. @returns how many parts it has */
export async function forEachPart(range: DayRange, run: (part: DayRange) => Promise<void>): Promise<number> {
  let parts = 0
  for (let from = range.from; from < range.to; from += DAYS_PER_STATEMENT) {
    await run({ ...range, from, to: Math.min(range.to, from + DAYS_PER_STATEMENT) })
    await yieldToEventLoop()
    parts += 1
  }
  return parts
}

/** The counts by day and by actor, and those of imported records, which are in neither. */
export async function readActorCounts(db: Queries, range: DayRange) {
  const rows: { readonly day: number; readonly actor_id: string; readonly counts: Partial<Counts> }[] = []
  await forEachPart(range, async (part) => {
    for (const { day, actor_id, ...counts } of await db.all(countsOfActors, part))
      rows.push({ day, actor_id, counts })
    for (const { day, actor_id, ...counts } of await db.all(appealedOfActors, part))
      rows.push({ day, actor_id, counts })
  })
  const imports = await listImports(db, range, [...new Set(rows.map(({ actor_id }) => actor_id))])
  const days = new Map<number, Counts>()
  const actors = new Map<string, Counts>()
  const imported = createCounts()
  for (let day = range.from; day < range.to; day++) days.set(day, createCounts())
  for (const { day, actor_id, counts } of rows)
    if (imports.has(actor_id)) addCounts(imported, counts)
    else {
      addCounts(getCounts(days, day), counts)
      addCounts(getCounts(actors, actor_id), counts)
    }
  return { days, actors, imported }
}

/** Those of the IDs that stand for imports. */
async function listImports(
  db: Queries,
  { workspaceId }: DayRange,
  actorIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = actorIds.filter((id) => id !== IMPORTS_ACTOR)
  const rows = ids.length === 0 ? [] : await db.all(importsAmong, { workspaceId, ids })
  return new Set([IMPORTS_ACTOR, ...rows.map(({ target_id }) => target_id)])
}

/** How quickly somebody responded: how often after so many minutes, and how many began. */
export interface Waits {
  count: number
  readonly byMinutes: Map<number, number>
}

/** The times to the first response of what began in a range of days, by kind. */
export async function readWaits(db: Queries, range: DayRange): Promise<ReadonlyMap<string, Waits>> {
  const byKind = new Map<string, Waits>([
    ['report', { count: 0, byMinutes: new Map() }],
    ['appeal', { count: 0, byMinutes: new Map() }],
  ])
  await forEachPart(range, async ({ workspaceId, from, to }) => {
    const times = { workspaceId, from: from * DAY_MS, to: to * DAY_MS }
    for (const { kind, minutes, count } of await db.all(waits, times)) {
      const kindWaits = byKind.get(kind)
      if (!kindWaits) continue
      kindWaits.count += Number(count)
      if (minutes === null) continue
      const key = Math.max(0, Number(minutes))
      kindWaits.byMinutes.set(key, (kindWaits.byMinutes.get(key) ?? 0) + Number(count))
    }
  })
  return byKind
}
