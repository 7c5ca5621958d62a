import { type Actor, DAY_MS, invalidRequest, type Ports, wire } from '@reeve/core'
import type { Queries } from '@reeve/db'
import type { CsvFile } from '@reeve/http'
import { listActors } from '../players/actors.ts'
import {
  addCounts,
  type Counts,
  createCounts,
  readActorCounts,
  readWaits,
  sumActions,
  type Waits,
} from './counts.ts'
import {
  DEFAULT_DAYS,
  type Insights,
  type InsightsCsvInput,
  type InsightsQueryInput,
  MAX_DAYS,
  MAX_ENTRIES,
} from './model.ts'
import { readFrequentReasons } from './reasons.ts'

/**
 * Reads how much staff moderate in a period, and how quickly they respond.
 * @throws AppError `invalid_request` naming `to` if the period is empty or too long
 */
export async function readInsights(
  db: Queries,
  ports: Ports,
  actor: Actor,
  input: InsightsQueryInput,
): Promise<Insights> {
  const { workspaceId } = actor
  const range = { workspaceId, ...parsePeriod(ports.now(), input) }
  const { days, actors, imported } = await readActorCounts(db, range)
  const moderators = listMostFrequent(actors)
  const names = await findNames(db, actor, moderators)
  const waits = await readWaits(db, range)
  const totals = sumCounts([...days.values()])
  return {
    from: wire.time.write(range.from * DAY_MS),
    to: wire.time.write(range.to * DAY_MS),
    totals: presentCounts(totals),
    // Never negative, also if version 1.0.0 has counted a record elsewhere that was deleted since.
    imported: String(Math.max(0, sumActions(imported))),
    days: [...days].map(([day, counts]) => ({
      day: wire.time.write(day * DAY_MS).slice(0, 'yyyy-mm-dd'.length),
      ...presentCounts(counts),
    })),
    moderators: moderators.map(([actorUserId, counts]) => ({
      actorUserId,
      actorUsername: names.get(actorUserId) ?? null,
      ...presentCounts(counts),
    })),
    reasons: listMostFrequent(await readFrequentReasons(db, range, MAX_ENTRIES)).map(([reason, counts]) => ({
      reason,
      ...presentCounts(counts),
    })),
    responses: [...waits].map(([kind, kindWaits]) => ({ kind, ...presentWaits(kindWaits) })),
  }
}

/** The days of a period, since 1970. */
function parsePeriod(now: number, input: InsightsQueryInput): { from: number; to: number } {
  const to = input.to === undefined ? Math.floor(now / DAY_MS) + 1 : Math.ceil(input.to / DAY_MS)
  const from = input.from === undefined ? to - DEFAULT_DAYS : Math.floor(input.from / DAY_MS)
  if (to <= from) throw invalidRequest({ field: 'to', message: 'must be after from' })
  if (to - from > MAX_DAYS)
    throw invalidRequest({ field: 'to', message: `must be at most ${MAX_DAYS} days after from` })
  return { from, to }
}

function sumCounts(list: readonly Counts[]): Counts {
  const sum = createCounts()
  for (const counts of list) addCounts(sum, counts)
  return sum
}

const presentCounts = (counts: Counts) => ({
  bans: String(counts.bans),
  mutes: String(counts.mutes),
  warnings: String(counts.warnings),
  kicks: String(counts.kicks),
  lifted: String(counts.lifted),
  appealed: String(counts.appealed),
})

/** The most frequent first; equal ones in the order of their names. */
const listMostFrequent = (counts: ReadonlyMap<string, Counts>): [string, Counts][] =>
  [...counts]
    .filter(([, one]) => sumActions(one) > 0)
    .sort(([name, one], [other, next]) => sumActions(next) - sumActions(one) || (name < other ? -1 : 1))
    .slice(0, MAX_ENTRIES)

async function findNames(db: Queries, actor: Actor, moderators: readonly [string, Counts][]) {
  const ids = moderators.map(([id]) => id)
  const { actors } = ids.length === 0 ? { actors: [] } : await listActors(db, actor, { ids })
  return new Map(actors.map(({ id, name }) => [id, name]))
}

const MINUTES = { withinFiveMinutes: 5, withinHour: 60, withinDay: 24 * 60 } as const

function presentWaits({ count, byMinutes }: Waits) {
  const sorted = [...byMinutes].sort(([one], [other]) => one - other)
  const answered = sorted.reduce((sum, [, times]) => sum + times, 0)
  const countWithin = (limit: number) =>
    String(sorted.reduce((sum, [minutes, times]) => sum + (minutes < limit ? times : 0), 0))
  let left = Math.ceil(answered / 2)
  const median = sorted.find(([, times]) => {
    left -= times
    return left <= 0
  })
  return {
    count: String(count),
    answered: String(answered),
    medianMinutes: median === undefined ? null : String(median[0]),
    withinFiveMinutes: countWithin(MINUTES.withinFiveMinutes),
    withinHour: countWithin(MINUTES.withinHour),
    withinDay: countWithin(MINUTES.withinDay),
  }
}

/** One view of the insights as a CSV file. @throws the same as `readInsights` */
export const createInsightsCsv = (
  db: Queries,
  ports: Ports,
  actor: Actor,
  { view = 'days', ...input }: InsightsCsvInput,
): CsvFile => ({
  name: `insights-${view}`,
  createdAt: ports.now(),
  header: HEADERS[view].map((column) => (column === 'day' ? 'day (UTC)' : column)),
  async readPage() {
    const rows: readonly Readonly<Record<string, string | null>>[] = (
      await readInsights(db, ports, actor, input)
    )[view]
    const lines = rows.map((row) => HEADERS[view].map((column) => row[column] ?? null))
    return { lines, nextCursor: null }
  },
})

const COUNTS = ['bans', 'mutes', 'warnings', 'kicks', 'lifted', 'appealed'] as const

const HEADERS = {
  days: ['day', ...COUNTS],
  moderators: ['actorUserId', 'actorUsername', ...COUNTS],
  reasons: ['reason', ...COUNTS],
  responses: ['kind', 'count', 'answered', 'medianMinutes', ...Object.keys(MINUTES)],
} as const satisfies Record<string, readonly string[]>
