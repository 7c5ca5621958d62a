import {
  type Actor,
  type CursorPart,
  invalidRequest,
  missingFields,
  normalizeName,
  type Ports,
  paginate,
  parsePage,
  wire,
} from '@reeve/core'
import type { Queries, RecordTable } from '@reeve/db'
import type { ActiveSanction, Player, PlayersQueryInput } from './model.ts'
import {
  countRecords,
  listActiveSanctions,
  listNamesByPrefix,
  listNewestRecords,
  listUserIdsByPrefix,
} from './queries.ts'

const LIST = 'players'

/** The number of records that one request reads for names, divided among the players of the page. */
const NAMES_WINDOW = 2000
/** The number of a player's newest records that decide which of their names matches first. */
const FIRST_MATCH_WINDOW = 100

/** The maximum number of other names in a response. */
const MAX_NAMES = 10

/** A match of the search; `name` is empty for a match by id. */
interface PlayerMatch {
  readonly name: string
  readonly userId: string
}

/**
 * Finds players by a prefix: matches by id first, then matches by name. Each player is found once.
 * @throws AppError `invalid_request`
 */
export async function findPlayers(db: Queries, ports: Ports, actor: Actor, input: PlayersQueryInput) {
  const { q, userId } = input
  if (q !== undefined && userId !== undefined) {
    throw invalidRequest({ field: 'userId', message: 'cannot be given together with q' })
  }
  if (userId !== undefined) {
    return { players: await loadPlayers(db, ports, actor, [{ name: '', userId }]), nextCursor: null }
  }
  if (q === undefined) throw missingFields('q')
  const { limit, after } = parsePage(LIST, input, ['string', 'string'])
  const matches = await searchPlayers(db, actor, q, after, limit + 1)
  const { rows, nextCursor } = paginate(matches, limit, LIST, (row) => [row.name, row.userId])
  return { players: await loadPlayers(db, ports, actor, rows), nextCursor }
}

async function searchPlayers(
  db: Queries,
  { workspaceId }: Actor,
  q: string,
  after: readonly CursorPart[] | null,
  limit: number,
): Promise<PlayerMatch[]> {
  const [afterName, afterId] = (after ?? ['', '']).map(String) as [string, string]
  const matches: PlayerMatch[] = []
  if (afterName === '' && isIdPrefix(q)) {
    const ids = await listUserIdsByPrefix(db, { workspaceId, prefix: q, after: afterId, limit })
    matches.push(...ids.map((userId) => ({ name: '', userId })))
  }
  const prefix = normalizeName(q)
  let last: PlayerMatch = { name: afterName || prefix, userId: afterName === '' ? '' : afterId }
  while (matches.length < limit) {
    const batch = await listNamesByPrefix(db, { workspaceId, prefix, ...last, limit })
    for (const candidate of batch) {
      if (matches.length === limit) break
      if (candidate.userId.startsWith(q) || matches.some(({ userId }) => userId === candidate.userId))
        continue
      if (await isFirstMatchingName(db, workspaceId, prefix, candidate)) matches.push(candidate)
    }
    const lastInBatch = batch.at(-1)
    if (batch.length < limit || !lastInBatch) break
    last = lastInBatch
  }
  return matches
}

/** Whether a text can be a prefix of a platform id; ids are not searched for any other text. */
function isIdPrefix(text: string): boolean {
  try {
    wire.platformId.read(text)
    return true
  } catch {
    return false
  }
}

/** Whether this is the first matching name of a player, so that several matching names yield one match. */
async function isFirstMatchingName(
  db: Queries,
  workspaceId: string,
  prefix: string,
  { name, userId }: PlayerMatch,
) {
  const records = await listNewestRecords(db, workspaceId, userId, FIRST_MATCH_WINDOW)
  return !records.some(({ user_username_key: key }) => key?.startsWith(prefix) && key < name)
}

/** Loads players; one without records is omitted. */
async function loadPlayers(
  db: Queries,
  ports: Ports,
  { workspaceId }: Actor,
  matches: readonly PlayerMatch[],
): Promise<Player[]> {
  const ids = matches.map(({ userId }) => userId)
  const now = ports.now()
  const counts = await countRecords(db, workspaceId, ids)
  const sanctions = await listActiveSanctions(db, workspaceId, ids, now)
  const window = Math.ceil(NAMES_WINDOW / Math.max(1, ids.length))
  const players: Player[] = []
  for (const userId of ids) {
    const records = await listNewestRecords(db, workspaceId, userId, window)
    const [newest] = records
    if (!newest) continue
    const [userUsername = null, ...otherNames] = collectNames(records)
    const activeSanction = (action: RecordTable['action']) =>
      presentSanction(sanctions.find((row) => row.user_id === userId && row.action === action))
    players.push({
      userId,
      userUsername,
      otherNames: otherNames.slice(0, MAX_NAMES),
      ban: activeSanction('ban'),
      mute: activeSanction('mute'),
      records: String(counts.get(userId) ?? 0),
      lastRecordAt: wire.time.write(newest.created_at),
    })
  }
  return players
}

/** The names in the records, newest first. Names that differ only in case count as one, in the newest spelling. */
function collectNames(
  records: readonly Pick<RecordTable, 'user_username' | 'user_username_key'>[],
): string[] {
  const names = new Map<string, string>()
  for (const { user_username: name, user_username_key: key } of records) {
    if (name !== null && key !== null && !names.has(key)) names.set(key, name)
  }
  return [...names.values()]
}

const presentSanction = (row: RecordTable | undefined): ActiveSanction =>
  row === undefined
    ? null
    : {
        id: row.id,
        caseNumber: String(row.case_number),
        reason: row.reason,
        createdAt: wire.time.write(row.created_at),
        expiresAt: wire.writeNullableTime(row.expires_at),
      }
