import { type Queries, type ReasonCountTable, type Sql, statement, toCountedReason } from '@reeve/db'
import { addCounts, type Counts, type DayRange, forEachPart, getCounts, sumActions } from './counts.ts'

/**
 * The most frequent reasons. Most texts are used once, and there can be a hundred thousand of them: they are left to the database,
 * unless a text that is used once in some weeks could be among the most frequent.
 */

const sums = ['bans', 'mutes', 'warnings', 'kicks', 'lifted'] as const satisfies (keyof ReasonCountTable)[]

const selectSums = (sql: Sql, p: DayRange) =>
  sql
    .selectFrom('reason_count')
    .select((eb) => ['reason', ...sums.map((name) => eb.fn.sum<number>(name).as(name))])
    .where('workspace_id', '=', p.workspaceId)
    .where('day', '>=', p.from)
    .where('day', '<', p.to)
    .groupBy('reason')

const appealedOfReasons = statement<DayRange>()((sql, p) =>
  sql
    .selectFrom('appealed_ban')
    .innerJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'appealed_ban.workspace_id')
        .onRef('record.id', '=', 'appealed_ban.record_id'),
    )
    .select((eb) => ['reason', eb.fn.countAll<number>().as('appealed')])
    .where('appealed_ban.workspace_id', '=', p.workspaceId)
    .where('day', '>=', p.from)
    .where('day', '<', p.to)
    .where('reason', 'is not', null)
    .groupBy('reason'),
)

type Params = DayRange & { readonly reasons: readonly string[] }

const allReasons = statement<Params>()((sql, p) => selectSums(sql, p))
const listedReasons = statement<Params>()((sql, p, dialect) =>
  selectSums(sql, p).where(dialect.inList('reason', p.reasons)),
)
const repeatedReasons = statement<Params>()((sql, p) =>
  selectSums(sql, p).having(
    (eb) =>
      eb.fn.sum<number>(
        eb(eb(eb('bans', '+', eb.ref('mutes')), '+', eb.ref('warnings')), '+', eb.ref('kicks')),
      ),
    '>',
    1,
  ),
)

const statements = { repeated: repeatedReasons, all: allReasons, listed: listedReasons } as const

async function readSums(
  db: Queries,
  range: DayRange,
  which: keyof typeof statements,
  reasons: readonly string[] = [],
): Promise<{ counts: Map<string, Counts>; parts: number }> {
  const counts = new Map<string, Counts>()
  const parts = await forEachPart(range, async (part) => {
    for (const row of await db.all(statements[which], { ...part, reasons }))
      addCounts(getCounts(counts, row.reason), row)
  })
  return { counts, parts }
}

/** More reasons are compared by reading all of them. */
const MAX_CANDIDATES = 1000

/**
 * Counts by reason: exactly those of the most frequent ones, and maybe some others.
 * @param limit how many are needed
 */
export async function readFrequentReasons(
  db: Queries,
  range: DayRange,
  limit: number,
): Promise<ReadonlyMap<string, Counts>> {
  const { counts, parts } = await readSums(db, range, 'repeated')
  const uses = [...counts.values()].map(sumActions).sort((one, next) => next - one)
  const needed = uses[limit - 1]
  // A reason that is left out of a part was used once in it at most.
  const candidates =
    needed === undefined
      ? []
      : [...counts].filter(([, count]) => sumActions(count) >= needed - parts).map(([reason]) => reason)
  const isKnown = needed !== undefined && needed > parts && candidates.length <= MAX_CANDIDATES
  const frequent = (await readSums(db, range, isKnown ? 'listed' : 'all', candidates)).counts
  await addAppealed(db, range, frequent)
  return frequent
}

/** Adds how many bans were appealed to the counts of reasons. */
async function addAppealed(db: Queries, range: DayRange, counts: ReadonlyMap<string, Counts>): Promise<void> {
  await forEachPart(range, async (part) => {
    for (const { reason, appealed } of await db.all(appealedOfReasons, part)) {
      const reasonCounts = counts.get(toCountedReason(reason ?? ''))
      if (reasonCounts) addCounts(reasonCounts, { appealed })
    }
  })
}
