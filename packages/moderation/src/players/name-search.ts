import {
  listQueryGrams,
  matchName,
  NAME_WINDOW,
  type NameMatch,
  nameMatches,
  toSearchText,
} from '@reeve/core'
import { createTimeSlicer, type Queries, statement, yieldToEventLoop } from '@reeve/db'
import { listNames } from './queries.ts'

/** The number of names that one request compares, which limits its time if many have the grams of a search but do not match. */
const MAX_COMPARED = 1000
const BATCH_SIZE = 100

const newestName = statement()((sql) =>
  sql.selectFrom('player_name').select('id').orderBy('id', 'desc').limit(1),
)
const namesWithGrams = statement<{
  workspaceId: string
  grams: readonly number[]
  before: number
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('player_name', 'player_name_by_id'))
    .select(['id', 'user_id', 'name'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.nameIndex.contains(p))
    .orderBy('id', 'desc'),
)

/** The place of a name in the order of matches: by the kind of match, then the newest name first. */
interface MatchPosition {
  readonly match: NameMatch
  readonly id: number
}

/** A player who is found by a name. */
export interface NameResult extends MatchPosition {
  readonly userId: string
  readonly name: string
}

interface NameSearch {
  readonly workspaceId: string
  readonly q: string
  /** Where the previous page ended. */
  readonly after: MatchPosition | null
  readonly limit: number
  /** Whether a player is in an earlier part of the results. */
  readonly isExcluded: (userId: string) => boolean
}

type NameRow = { readonly id: number; readonly user_id: string; readonly name: string }

const isBefore = (one: MatchPosition, other: MatchPosition): boolean => {
  const difference = nameMatches.indexOf(one.match) - nameMatches.indexOf(other.match)
  return difference < 0 || (difference === 0 && one.id > other.id)
}

/**
 * Finds players by their names, each one by the name that matches best.
 * @returns up to `limit` players, and where to continue: null if there are no more, or not without another request
 */
export async function searchNames(db: Queries, search: NameSearch) {
  const query = toSearchText(search.q)
  const few = await findFewMatches(db, search, query)
  if (few) return { results: few, continueAfter: null }
  const results: NameResult[] = []
  let compared = 0
  for (const match of nameMatches) {
    if (search.after && nameMatches.indexOf(match) < nameMatches.indexOf(search.after.match)) continue
    const before = search.after?.match === match ? search.after.id : null
    for await (const batch of listCandidates(db, search.workspaceId, query, match, before)) {
      const matching = batch.filter((row) => matchName(toSearchText(row.name), query) === match)
      for (const result of await selectBestMatches(db, search, query, matching)) {
        results.push(result)
        if (results.length === search.limit) return { results, continueAfter: null }
      }
      compared += batch.length
      const last = batch.at(-1)
      if (last && compared >= MAX_COMPARED) return { results, continueAfter: { match, id: last.id } }
    }
  }
  return { results, continueAfter: null }
}

/**
 * Finds players by their names in one pass through the index instead of one for each kind of match. Null if more names than a few may
 * match.
 */
async function findFewMatches(db: Queries, search: NameSearch, query: string): Promise<NameResult[] | null> {
  if (listQueryGrams(search.workspaceId, 0, query, 'substring') === null) return null
  const matching: NameRow[] = []
  for await (const batch of listCandidates(db, search.workspaceId, query, 'substring', null)) {
    if (batch.length === BATCH_SIZE || matching.length + batch.length > BATCH_SIZE) return null
    matching.push(...batch)
  }
  const results = await selectBestMatches(db, search, query, matching)
  const { after } = search
  return results
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .filter((result) => after === null || isBefore(after, result))
    .slice(0, search.limit)
}

/**
 * The names that have all grams of a search, newest first, window by window. Other requests run before each window, also before the first: otherwise
 * all searches that begin in one turn of the event loop would search theirs in it.
 */
async function* listCandidates(
  db: Queries,
  workspaceId: string,
  query: string,
  match: NameMatch,
  before: number | null,
): AsyncGenerator<NameRow[]> {
  if (listQueryGrams(workspaceId, 0, query, match) === null) return
  let end = before ?? ((await db.first(newestName, {}))?.id ?? 0) + 1
  while (end > 0) {
    await yieldToEventLoop()
    const grams = listQueryGrams(workspaceId, end - 1, query, match) ?? []
    const rows = await db.all(namesWithGrams, { workspaceId, grams, before: end, limit: BATCH_SIZE })
    yield rows
    const last = rows.at(-1)
    end = last && rows.length === BATCH_SIZE ? last.id : Math.floor((end - 1) / NAME_WINDOW) * NAME_WINDOW
  }
}

/** Selects the names that match, and are the best match of their players. */
async function selectBestMatches(
  db: Queries,
  { workspaceId, isExcluded }: NameSearch,
  query: string,
  candidates: readonly NameRow[],
): Promise<NameResult[]> {
  const yieldIfDue = createTimeSlicer()
  const matching: NameResult[] = []
  for (const { id, user_id: userId, name } of candidates) {
    const match = isExcluded(userId) ? null : matchName(toSearchText(name), query)
    if (match !== null) matching.push({ match, id, userId, name })
    await yieldIfDue()
  }
  const names = await listNames(db, workspaceId, [...new Set(matching.map(({ userId }) => userId))])
  const bestMatches = new Map<string, MatchPosition>()
  for (const [userId, ownNames] of names) {
    for (const { id, name } of ownNames) {
      const match = matchName(toSearchText(name), query)
      const best = bestMatches.get(userId)
      if (match !== null && (!best || isBefore({ match, id }, best))) bestMatches.set(userId, { match, id })
    }
    await yieldIfDue()
  }
  return matching.filter((result) => {
    const best = bestMatches.get(result.userId)
    return !best || !isBefore(best, result)
  })
}
