/** Counts insights in the simplest way, to compare them with those of the server. */

const names = ['bans', 'mutes', 'warnings', 'kicks', 'lifted', 'appealed'] as const
export type CountName = (typeof names)[number]
type Counts = Record<CountName, number>

/** The most moderators and reasons of a response. */
const MAX_ENTRIES = 50
const MINUTE_MS = 60_000

export interface NaiveCounts {
  readonly totals: Counts
  readonly days: Map<string, Counts>
  readonly moderators: Map<string, Counts>
  readonly reasons: Map<string, Counts>
  /** Milliseconds to the first response, by kind; null without one. */
  readonly waits: Readonly<Record<'report' | 'appeal', (number | null)[]>>
}

const createCounts = (): Counts => ({ bans: 0, mutes: 0, warnings: 0, kicks: 0, lifted: 0, appealed: 0 })

export const createNaiveCounts = (): NaiveCounts => ({
  totals: createCounts(),
  days: new Map(),
  moderators: new Map(),
  reasons: new Map(),
  waits: { report: [], appeal: [] },
})

/** Adds one to some counts of a record. */
export function addRecord(
  naive: NaiveCounts,
  keys: { readonly day: string; readonly moderator: string; readonly reason: string },
  counted: readonly CountName[],
): void {
  const getCounts = (map: Map<string, Counts>, key: string): Counts => {
    const counts = map.get(key) ?? createCounts()
    map.set(key, counts)
    return counts
  }
  const groups = [
    naive.totals,
    getCounts(naive.days, keys.day),
    getCounts(naive.moderators, keys.moderator),
    getCounts(naive.reasons, keys.reason),
  ]
  for (const counts of groups) for (const name of counted) counts[name] += 1
}

const sumActions = ({ bans, mutes, warnings, kicks }: Counts): number => bans + mutes + warnings + kicks

const format = (counts: Counts) =>
  Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)]))

const listMostFrequent = (counts: ReadonlyMap<string, Counts>): [string, Counts][] =>
  [...counts]
    .sort(([one, first], [other, second]) => sumActions(second) - sumActions(first) || (one < other ? -1 : 1))
    .slice(0, MAX_ENTRIES)

function summarizeWaits(kind: string, waits: readonly (number | null)[]) {
  const minutes = waits.filter((wait) => wait !== null).map((wait) => Math.floor(wait / MINUTE_MS))
  minutes.sort((one, other) => one - other)
  const countBelow = (limit: number) => String(minutes.filter((minute) => minute < limit).length)
  const median = minutes[Math.ceil(minutes.length / 2) - 1]
  return {
    kind,
    count: String(waits.length),
    answered: String(minutes.length),
    medianMinutes: median === undefined ? null : String(median),
    withinFiveMinutes: countBelow(5),
    withinHour: countBelow(60),
    withinDay: countBelow(24 * 60),
  }
}

type Numbers = Readonly<Record<string, string | null>>

/** What the server returns. */
export interface InsightsBody {
  readonly totals: Numbers
  readonly days: readonly Numbers[]
  readonly moderators: readonly Numbers[]
  readonly reasons: readonly Numbers[]
  readonly responses: readonly Numbers[]
}

/** Compares every number of a response. @returns how many there are @throws Error naming the first difference */
export function compareWithNaiveCounts(body: InsightsBody, naive: NaiveCounts): number {
  const expected = {
    totals: format(naive.totals),
    days: body.days.map(({ day }) => ({
      day: String(day),
      ...format(naive.days.get(String(day)) ?? createCounts()),
    })),
    moderators: listMostFrequent(naive.moderators).map(([actorUserId, counts]) => ({
      actorUserId,
      ...format(counts),
    })),
    reasons: listMostFrequent(naive.reasons).map(([reason, counts]) => ({ reason, ...format(counts) })),
    responses: Object.entries(naive.waits).map(([kind, waits]) => summarizeWaits(kind, waits)),
  }
  const returned = {
    totals: body.totals,
    days: body.days,
    moderators: body.moderators.map(({ actorUsername: _, ...row }) => row),
    reasons: body.reasons,
    responses: body.responses,
  }
  if (naive.days.size > 0 && ![...naive.days.keys()].every((day) => body.days.some((row) => row.day === day)))
    throw new Error('a day is missing')
  let numbers = 0
  for (const name of ['totals', 'days', 'moderators', 'reasons', 'responses'] as const) {
    const pairs = [expected[name], returned[name]].map((rows) => (Array.isArray(rows) ? rows : [rows]))
    const [wanted = [], given = []] = pairs
    if (wanted.length !== given.length) throw new Error(`${name}: ${given.length} of ${wanted.length} rows`)
    for (const [index, row] of wanted.entries()) {
      if (!Bun.deepEquals(row, given[index]))
        throw new Error(`${name} differ: ${JSON.stringify(given[index])}, not ${JSON.stringify(row)}`)
      numbers += Object.values(row).filter((value) => /^\d+$/.test(String(value))).length
    }
  }
  return numbers
}
