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
import type { PlayersQueryInput, ShownPlayer, ShownStanding } from './player-model.ts'
import { idsFrom, namesFrom, newestRecordsOf, recordCounts, restraintsOn } from './player-rows.ts'

const LIST = 'players'

/** How many records one call looks through for names: a page of players shares them. */
const NAMES_WINDOW = 2000
const FIRST_NAME_WINDOW = 100

/** How many other names are told. */
const MAX_NAMES = 10

/** Who was found, and by what: the name is empty for those whose id fits. */
interface Found {
  readonly name: string
  readonly userId: string
}

/**
 * Players that a text is the beginning of: of their id first, then of a name they were seen with. Each is found once.
 * @throws AppError `invalid_request`
 */
export async function findPlayers(db: Queries, ports: Ports, actor: Actor, input: PlayersQueryInput) {
  const { q, userId } = input
  if (q !== undefined && userId !== undefined) {
    throw invalidRequest({ field: 'userId', message: 'cannot be given together with q' })
  }
  if (userId !== undefined) {
    return { players: await profiles(db, ports, actor, [{ name: '', userId }]), nextCursor: null }
  }
  if (q === undefined) throw missingFields('q')
  const { limit, after } = parsePage(LIST, input, ['string', 'string'])
  const found = await search(db, actor, q, after, limit + 1)
  const { rows, nextCursor } = paginate(found, limit, LIST, (row) => [row.name, row.userId])
  return { players: await profiles(db, ports, actor, rows), nextCursor }
}

async function search(
  db: Queries,
  { workspaceId }: Actor,
  q: string,
  after: readonly CursorPart[] | null,
  limit: number,
): Promise<Found[]> {
  const [afterName, afterId] = (after ?? ['', '']).map(String) as [string, string]
  const found: Found[] = []
  if (afterName === '' && isPartOfAnId(q)) {
    const ids = await idsFrom(db, { workspaceId, prefix: q, after: afterId, limit })
    found.push(...ids.map((userId) => ({ name: '', userId })))
  }
  const prefix = normalizeName(q)
  let last: Found = { name: afterName || prefix, userId: afterName === '' ? '' : afterId }
  while (found.length < limit) {
    const named = await namesFrom(db, { workspaceId, prefix, ...last, limit })
    for (const one of named) {
      if (found.length === limit) break
      if (one.userId.startsWith(q) || found.some(({ userId }) => userId === one.userId)) continue
      if (await isFirstName(db, workspaceId, prefix, one)) found.push(one)
    }
    const end = named.at(-1)
    if (named.length < limit || !end) break
    last = end
  }
  return found
}

/** Whether a text can be the beginning of a platform id: no other text is looked for among them. */
function isPartOfAnId(text: string): boolean {
  try {
    wire.platformId.read(text)
    return true
  } catch {
    return false
  }
}

/** Whoever bears several names that fit is found by the first of them alone, as far as their newest records tell. */
async function isFirstName(db: Queries, workspaceId: string, prefix: string, { name, userId }: Found) {
  const records = await newestRecordsOf(db, workspaceId, userId, FIRST_NAME_WINDOW)
  return !records.some(({ user_username_key: key }) => key?.startsWith(prefix) && key < name)
}

/** What is known of these players, those without a record left out. */
async function profiles(
  db: Queries,
  ports: Ports,
  { workspaceId }: Actor,
  found: readonly Found[],
): Promise<ShownPlayer[]> {
  const ids = found.map(({ userId }) => userId)
  const now = ports.now()
  const counts = await recordCounts(db, workspaceId, ids)
  const held = await restraintsOn(db, workspaceId, ids, now)
  const window = Math.ceil(NAMES_WINDOW / Math.max(1, ids.length))
  const players: ShownPlayer[] = []
  for (const userId of ids) {
    const records = await newestRecordsOf(db, workspaceId, userId, window)
    const [newest] = records
    if (!newest) continue
    const [userUsername = null, ...otherNames] = namesIn(records)
    const standing = (action: RecordTable['action']) =>
      shownStanding(held.find((row) => row.user_id === userId && row.action === action))
    players.push({
      userId,
      userUsername,
      otherNames: otherNames.slice(0, MAX_NAMES),
      ban: standing('ban'),
      mute: standing('mute'),
      records: String(counts.get(userId) ?? 0),
      lastRecordAt: wire.time.write(newest.created_at),
    })
  }
  return players
}

/** The names that records tell, newest first; one that differs only in case counts once, as it was last written. */
function namesIn(records: readonly Pick<RecordTable, 'user_username' | 'user_username_key'>[]): string[] {
  const names = new Map<string, string>()
  for (const { user_username: name, user_username_key: key } of records) {
    if (name !== null && key !== null && !names.has(key)) names.set(key, name)
  }
  return [...names.values()]
}

const shownStanding = (row: RecordTable | undefined): ShownStanding =>
  row === undefined
    ? null
    : {
        id: row.id,
        caseNumber: String(row.case_number),
        reason: row.reason,
        createdAt: wire.time.write(row.created_at),
        expiresAt: row.expires_at === null ? null : wire.time.write(row.expires_at),
      }
