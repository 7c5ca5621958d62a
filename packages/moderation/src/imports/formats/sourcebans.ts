import { emptyRecord, type ForeignRecord, type ParseFile, toItem, UnreadableEntry } from './format.ts'
import { readSql } from './sql.ts'
import { type Fields, requireText, shorten, toEpoch, toPlayerId, toText } from './values.ts'

/** SourceBans++: an SQL dump with the tables `sb_bans` and `sb_comms`, and `sb_admins` for the names of moderators. Times are in seconds. */

const SECOND_MS = 1000
/** `type` of a ban. */
const IP_BAN = '1'
/** Administrators are few; more would not be a dump of SourceBans++. */
const MAX_ADMINS = 10_000

export const parseSourceBans: ParseFile = async function* (text) {
  const admins = new Map<string, string>()
  for await (const item of readSql(text)) {
    if ('problem' in item) {
      yield item
      continue
    }
    const { line, row } = item
    const [, table] = /(?:^|_)(bans|comms|admins)$/.exec(item.table) ?? []
    if (table === 'admins' && admins.size < MAX_ADMINS)
      admins.set(String(toText(row.aid)), toText(row.user) ?? '')
    if (table === 'bans' || table === 'comms') yield toItem(line, () => convert(table, row, admins))
  }
}

/** @param admins the names of the administrators that the dump contains before */
function convert(table: 'bans' | 'comms', row: Fields, admins: ReadonlyMap<string, string>): ForeignRecord {
  if (table === 'bans' && toText(row.type) === IP_BAN && toText(row.authid) === null)
    throw new UnreadableEntry('it is about an IP address only, not about a player')
  const occurredAt = toEpoch(row, 'created', SECOND_MS)
  const seconds = Number(toText(row.length) ?? '0')
  if (!Number.isFinite(seconds))
    throw new UnreadableEntry(`length is not a number: ${shorten(String(row.length))}`)
  // `U` was lifted, `D` was deleted; `E` has expired, which follows from its end.
  const removal = toText(row.removetype)
  const isLifted = removal === 'U' || removal === 'D'
  const nameAdmin = (id: string | null) =>
    id === null || id === '0' ? null : admins.get(id) || `Admin ${id}`
  return {
    ...emptyRecord,
    sourceId: `${table}:${requireText(row, 'bid')}`,
    action: table === 'bans' ? 'ban' : 'mute',
    userId: toPlayerId('steam', row, 'authid'),
    userUsername: toText(row.name),
    reason: toText(row.reason),
    occurredAt,
    expiresAt: readExpiry(row, occurredAt, seconds),
    isLifted,
    liftedAt: isLifted && toText(row.removedon) !== null ? toEpoch(row, 'removedon', SECOND_MS) : null,
    liftedBy: nameAdmin(toText(row.removedby)),
    liftReason: toText(row.ureason),
    moderator: nameAdmin(toText(row.aid)) ?? 'Console',
    // Mutes of the voice and of the chat are one action in Reeve.
    evidence: table === 'comms' && toText(row.type) === '2' ? ['Chat only (gag)'] : [],
    ip: toText(row.ip),
  }
}

/** A length of 0 is permanent. A negative one is a mute for the session of the player, whose latest end is in `ends`. */
function readExpiry(row: Fields, occurredAt: number, seconds: number): number | null {
  if (seconds === 0) return null
  if (seconds > 0) return occurredAt + seconds * SECOND_MS
  return toText(row.ends) === null ? occurredAt : toEpoch(row, 'ends', SECOND_MS)
}
