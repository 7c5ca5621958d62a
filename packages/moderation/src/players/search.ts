import {
  type Actor,
  type CursorPart,
  cleanQuery,
  hasPermission,
  invalidRequest,
  listPlayerKeys,
  listSearchedPlayers,
  missingFields,
  nameMatches,
  normalizeName,
  type Ports,
  paginate,
  parsePage,
  resolvePlayerId,
  takePage,
  wire,
} from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import { createTimeSlicer, type Queries, type RecordTable } from '@reeve/db'
import { findOpenAppeals } from '../appeals/store.ts'
import { findPendingRecords } from '../approvals/store.ts'
import { listLinks } from '../links/service.ts'
import { listPinnedNotes } from '../pins/service.ts'
import { findEndingLast } from '../records/sanction.ts'
import type { ActiveSanction, Player, PlayersQueryInput } from './model.ts'
import { searchNames } from './name-search.ts'
import {
  countRecords,
  listActiveSanctions,
  listNames,
  listNewestRecords,
  listUserIdsByPrefix,
  type SanctionRow,
} from './queries.ts'

const LIST = 'players'

/** The number of records that one request reads for newest names, divided among the players of the page. */
const NAMES_WINDOW = 500

/** The maximum number of other names in a response. */
const MAX_NAMES = 10

/** Where a page ends: at a match by id, or at a match by name. */
const ID_MATCH = 'id'

/** A player who was found, by `name` or, if it is null, by id. */
interface PlayerMatch {
  readonly userId: string
  readonly name: string | null
  readonly cursor: readonly CursorPart[]
}

/**
 * Finds players: matches by id first, then matches by name. Each player is found once.
 * @throws AppError `invalid_request`
 */
export async function findPlayers(db: Queries, ports: Ports, actor: Actor, input: PlayersQueryInput) {
  const { q, userId } = input
  if (q !== undefined && userId !== undefined) {
    throw invalidRequest({ field: 'userId', message: 'cannot be given together with q' })
  }
  if (userId !== undefined) {
    const load = (ids: readonly string[]) =>
      loadPlayers(
        db,
        ports,
        actor,
        ids.map((id) => ({ userId: id, name: null })),
      )
    const { links } = await listLinks(db, actor, { userId })
    return {
      players: await load([userId]),
      nextCursor: null,
      pinnedNotes: await listPinnedNotes(db, actor, userId),
      links,
      linkedPlayers: await load(links.map(({ linkedUserId }) => linkedUserId)),
    }
  }
  if (q === undefined) throw missingFields('q')
  const page = parsePage(LIST, input, ['string', 'number', 'string'])
  const { matches, continueAfter } = await searchPlayers(db, ports, actor, {
    q: cleanQuery(q),
    after: page.after,
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(matches, page, (row) => row.cursor)
  const loaded = await loadPlayers(db, ports, actor, rows)
  const players = takePage(loaded)
  const lastMatch =
    players.length < loaded.length && rows.find(({ userId }) => userId === players.at(-1)?.userId)
  return {
    players,
    nextCursor: lastMatch
      ? page.toCursor(lastMatch.cursor)
      : (nextCursor ?? (continueAfter && page.toCursor(continueAfter))),
  }
}

/** @returns up to `limit` matches, and where to continue if the search stopped before it had found as many */
async function searchPlayers(
  db: Queries,
  ports: Ports,
  actor: Actor,
  {
    q,
    after,
    limit,
  }: { readonly q: string; readonly after: readonly CursorPart[] | null; readonly limit: number },
): Promise<{ matches: PlayerMatch[]; continueAfter: readonly CursorPart[] | null }> {
  const { workspaceId, platforms } = actor
  const [afterMatch = ID_MATCH, afterNumber = 0, afterId = ''] = after ?? []
  const nameMatch = nameMatches.find((match) => match === afterMatch)
  const matches: PlayerMatch[] = []
  const toIdMatch = (key: string, after = key): PlayerMatch => ({
    userId: resolvePlayerId(key, platforms),
    name: null,
    cursor: [ID_MATCH, 0, after],
  })
  // Ids in another form than the stored one come first: the next page starts with those that begin with the text.
  const searched = listSearchedPlayers(q, platforms)
  const exactIds = searched.filter((userId) => !userId.startsWith(q))
  if (after === null) {
    const known = await loadKnownIds(db, ports, actor, searched)
    // Those with records that begin with the text follow.
    const first = known.filter(({ userId, hasRecords }) => !hasRecords || exactIds.includes(userId))
    matches.push(...first.map(({ userId }) => toIdMatch(userId, '')))
  }
  if (nameMatch === undefined && isIdPrefix(q)) {
    const ids = await listUserIdsByPrefix(db, {
      workspaceId,
      prefix: q,
      after: String(afterId),
      limit: limit - matches.length,
    })
    matches.push(...ids.map((key) => toIdMatch(key)))
  }
  if (matches.length === limit) return { matches, continueAfter: null }
  const { results, continueAfter } = await searchNames(db, {
    workspaceId,
    q,
    after: nameMatch ? { match: nameMatch, id: Number(afterNumber) } : null,
    limit: limit - matches.length,
    isExcluded: (userId) => userId.startsWith(q) || exactIds.includes(userId),
  })
  matches.push(
    ...results.map(({ userId, name, match, id }) => ({
      userId: resolvePlayerId(userId, platforms),
      name,
      cursor: [match, id, ''],
    })),
  )
  return { matches, continueAfter: continueAfter && [continueAfter.match, continueAfter.id, ''] }
}

/** Whether a text can be a prefix of an id; ids are not searched for any other text. */
const isIdPrefix = (text: string): boolean => /^[A-Za-z0-9_.:-]+$/.test(text)

/** Those of the players who have records, or a ban or mute under their pseudonym. */
async function loadKnownIds(db: Queries, ports: Ports, actor: Actor, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { workspaceId } = actor
  const counts = await countRecords(db, workspaceId, ids)
  const { keys, toRequested } = listSanctionKeys(ids, actor)
  const sanctions =
    actor.pseudonymKey === null ? [] : await listActiveSanctions(db, workspaceId, keys, ports.now())
  const sanctioned = new Set(sanctions.map((row) => toRequested(row.user_id)))
  return ids
    .map((userId) => ({ userId, hasRecords: counts.has(userId) }))
    .filter(({ userId, hasRecords }) => hasRecords || sanctioned.has(userId))
}

/**
 * Loads players; one without records, and without a ban or mute under their pseudonym, is omitted. A player who is stored under several
 * forms is one player.
 */
async function loadPlayers(
  db: Queries,
  ports: Ports,
  actor: Actor,
  found: readonly Pick<PlayerMatch, 'userId' | 'name'>[],
): Promise<Player[]> {
  const { workspaceId, platforms } = actor
  const matches = new Map(
    found.map((match) => [
      match.userId,
      {
        ...match,
        keys: listPlayerKeys(match.userId, platforms),
        sanctionKeys: listSanctionKeys([match.userId], actor).keys,
      },
    ]),
  )
  const ids = [...matches.values()].flatMap(({ keys }) => keys)
  const sanctionIds = [...matches.values()].flatMap(({ sanctionKeys }) => sanctionKeys)
  const now = ports.now()
  const yieldIfDue = createTimeSlicer()
  const counts = await countRecords(db, workspaceId, ids)
  await yieldIfDue()
  const names = await listNames(db, workspaceId, ids)
  const sanctions = await listActiveSanctions(db, workspaceId, sanctionIds, now)
  const bans = sanctions.filter(({ action }) => action === 'ban')
  const pending = await findPendingRecords(
    db,
    workspaceId,
    bans.map(({ id }) => id),
    now,
  )
  const banIds = hasPermission(actor, 'appeals.view') ? bans.map(({ id }) => id) : []
  const openAppeals = await findOpenAppeals(db, workspaceId, banIds, now)
  await yieldIfDue()
  const window = Math.ceil(NAMES_WINDOW / Math.max(1, ids.length))
  const players: Player[] = []
  for (const { userId, keys, sanctionKeys, name: matchedName } of matches.values()) {
    const records = await listNewestRecordsOf(db, workspaceId, keys, window)
    const ownSanctions = sanctions.filter((row) => sanctionKeys.includes(row.user_id))
    const newest = records[0] ?? ownSanctions[0]
    if (!newest) continue
    const newestName = records.find((record) => record.user_username !== null)?.user_username ?? null
    const [userUsername = null, ...otherNames] = collectNames(
      newestName,
      keys.flatMap((key) => names.get(key) ?? []),
    )
    const activeSanction = (action: RecordTable['action']) =>
      presentSanction(
        ownSanctions.filter((row) => row.action === action),
        pending,
      )
    players.push({
      userId,
      userUsername,
      otherNames: otherNames.slice(0, MAX_NAMES),
      matchedName,
      ban: activeSanction('ban'),
      mute: activeSanction('mute'),
      openAppeals: openAppeals
        .filter((appeal) => ownSanctions.some(({ id }) => id === appeal.record_id))
        .map(({ id, record_id }) => ({ id, recordId: record_id })),
      records: String(keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)),
      lastRecordAt: wire.time.write(newest.created_at),
    })
    await yieldIfDue()
  }
  return players
}

/** The newest records of a player under any form, newest first. */
async function listNewestRecordsOf(db: Queries, workspaceId: string, keys: readonly string[], limit: number) {
  const [first = '', ...others] = keys
  const records = await listNewestRecords(db, workspaceId, first, limit)
  for (const key of others) records.push(...(await listNewestRecords(db, workspaceId, key, limit)))
  return others.length === 0 ? records : records.sort((one, other) => other.created_at - one.created_at)
}

/** The names of a player, newest first. Names that differ only in case count as one, in the newest spelling. */
function collectNames(newestName: string | null, rows: readonly { readonly name: string }[]): string[] {
  const names = new Map<string, string>()
  for (const name of [...(newestName === null ? [] : [newestName]), ...rows.map((row) => row.name)]) {
    const key = normalizeName(name)
    if (!names.has(key)) names.set(key, name)
  }
  return [...names.values()]
}

/** Presents the one of several sanctions of a player that counts. */
function presentSanction(rows: readonly SanctionRow[], pending: ReadonlySet<string>): ActiveSanction {
  const row = findEndingLast(rows)
  return row === undefined
    ? null
    : {
        id: row.id,
        caseNumber: String(row.case_number),
        reason: row.reason,
        createdAt: wire.time.write(row.created_at),
        occurredAt: wire.writeNullableTime(row.occurred_at),
        actorUsername: row.actor_username,
        expiresAt: wire.writeNullableTime(row.expires_at),
        waitsForApproval: String(pending.has(row.id)),
        version: String(row.version),
        otherCases: rows.filter((other) => other !== row).map(({ case_number }) => String(case_number)),
      }
}
