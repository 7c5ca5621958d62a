import { type Actor, invalidRequest } from '@reeve/core'
import { columnsExcept, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { NOT_REVOKED } from './columns.ts'
import type { SummaryRow } from './model.ts'
import { requireRecord } from './record-store.ts'
import { hasExpired, isInForce } from './sanction.ts'
import { findCaseRange } from './search.ts'
import { rebuildVersion } from './versions.ts'

/** The records that one statement reads, which takes SQLite about 2 ms. */
const ROWS_PER_STEP = 500

const summaryColumns = columnsExcept('record', 'evidence', 'comments')

const recordsOfPlayer = statement<{
  workspaceId: string
  userId: string
  /** The case number before which records were created up to the time. */
  until: number
  asOf: number
  below: number
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
    .select(summaryColumns)
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', '=', p.userId)
    .where('case_number', '<', p.below)
    .where((eb) => eb.or([eb('case_number', '<', p.until), eb('occurred_at', '<=', p.asOf)]))
    .orderBy('case_number', 'desc')
    .limit(p.limit),
)
const replacedAt = statement<{ workspaceId: string; id: string; version: number }>({ isLookup: true })(
  (sql, p) =>
    sql
      .selectFrom('record_version')
      .select('replaced_at')
      .where('workspace_id', '=', p.workspaceId)
      .where('record_id', '=', p.id)
      .where('version', '=', p.version),
)

/**
 * The bans of players that were in force at a time, as they were then: from the versions of the records, so that a ban that has been
 * lifted, replaced, edited, lengthened or shortened since counts as it was, and from what imports say about the time before them. Examines all bans
 * of the players from before that time, because nothing else tells which of them was in force.
 * @param userIds every form that the players are stored under
 * @param asOf epoch milliseconds; what happened in this millisecond has happened
 * @throws AppError `invalid_request` for a time in the future
 */
export async function listBansAsOf(
  db: Queries,
  actor: Actor,
  userIds: readonly string[],
  asOf: number,
  now: number,
): Promise<SummaryRow[]> {
  if (asOf > now) throw invalidRequest({ field: 'asOf', message: 'must not be in the future' })
  const { workspaceId } = actor
  const { below: until } = await findCaseRange(db, workspaceId, { from: undefined, to: asOf + 1 })
  const bans: SummaryRow[] = []
  for (const userId of userIds) {
    const current: SummaryRow[] = []
    const imported: SummaryRow[] = []
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const limit = ROWS_PER_STEP
      const rows = await db.all(recordsOfPlayer, { workspaceId, userId, until, asOf, below, limit })
      for (const row of rows) {
        if (row.action !== 'ban') continue
        if (row.created_at > asOf) {
          if (row.occurred_at !== null && row.occurred_at <= asOf) imported.push(row)
          continue
        }
        const version = await findVersionAt(db, actor, row, asOf)
        if (isInForce(version, asOf)) current.push(version)
      }
      const last = rows.at(-1)
      if (!last || rows.length < ROWS_PER_STEP) break
      below = last.case_number
      await yieldToEventLoop()
    }
    // What was in force here comes before what was in force elsewhere.
    if (current.length > 0) bans.push(...current)
    else bans.push(...(await findImportedBan(db, actor, imported, asOf)))
  }
  return bans.sort((one, other) => other.case_number - one.case_number)
}

/**
 * The ban of a player that was in force in another tool, which was imported later: of several, the one that began last.
 * @param rows the bans that began there up to the time
 */
async function findImportedBan(
  db: Queries,
  actor: Actor,
  rows: readonly SummaryRow[],
  asOf: number,
): Promise<SummaryRow[]> {
  const began = ({ occurred_at }: SummaryRow) => occurred_at ?? 0
  const newestFirst = rows.toSorted(
    (one, other) => began(other) - began(one) || other.case_number - one.case_number,
  )
  for (const [index, row] of newestFirst.entries()) {
    const first =
      row.version === 1 ? row : await rebuildVersion(db, await requireRecord(db, actor, row.id), 1)
    // An import says when a ban was replaced only by the one that took its place.
    const isReplaced =
      first.ended === 'superseded' &&
      newestFirst
        .slice(0, index)
        .some(({ source, occurred_at }) => source === row.source && occurred_at !== row.occurred_at)
    // An entry that lifts it can have come later in the file, or in a later file.
    const isLifted = [first, row].some(
      ({ ended, revoked_at }) => ended === 'revoked' && revoked_at !== null && revoked_at <= asOf,
    )
    if (isReplaced || isLifted || hasExpired(first, asOf)) continue
    return [{ ...first, ...NOT_REVOKED, in_force: 1, ended: null }]
  }
  return []
}

/** A record as it was after the last change up to a time. */
export async function findVersionAt(
  db: Queries,
  actor: Actor,
  row: SummaryRow,
  asOf: number,
): Promise<SummaryRow> {
  if (row.updated_at <= asOf) return row
  let [low, high] = [1, row.version]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const key = { workspaceId: row.workspace_id, id: row.id, version: middle }
    const replaced = await db.first(replacedAt, key)
    if (replaced && replaced.replaced_at <= asOf) low = middle + 1
    else high = middle
  }
  if (low === row.version) return row
  return rebuildVersion(db, await requireRecord(db, actor, row.id), low)
}
