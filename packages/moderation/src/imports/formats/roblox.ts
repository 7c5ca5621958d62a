import { emptyRecord, type ForeignRecord, type ParseFile, toItem, UnreadableEntry } from './format.ts'
import { readJson } from './json.ts'
import { type Fields, isObject, requireObject, requireText, shorten, toText, toTime } from './values.ts'

/**
 * Restrictions of players as the Open Cloud API of Roblox returns them: `userRestrictions` (what is in force), or `logs` (every change).
 */
export const parseRoblox: ParseFile = async function* (text) {
  for await (const item of readJson(text, ['userRestrictions', 'logs'])) {
    if ('problem' in item) yield item
    else yield toItem(item.line, () => convert(requireObject(item.value)))
  }
}

function convert(entry: Fields): ForeignRecord {
  const restriction = isObject(entry.gameJoinRestriction) ? entry.gameJoinRestriction : entry
  const user = requireText(entry, 'user')
  const [, userId] = /^users\/(\d{1,20})$/.exec(user) ?? []
  if (userId === undefined) throw new UnreadableEntry(`user is not a user: ${shorten(user)}`)
  const occurredAt = toTime(restriction, toText(restriction.startTime) === null ? 'createTime' : 'startTime')
  const duration = toText(restriction.duration)
  const [, seconds] = duration === null ? [] : (/^(\d{1,12})(?:\.\d+)?s$/.exec(duration) ?? [])
  if (duration !== null && seconds === undefined)
    throw new UnreadableEntry(`duration is not a duration: ${shorten(duration)}`)
  const place = toText(entry.place)
  return {
    ...emptyRecord,
    sourceId: `${place ?? 'universe'}/users/${userId}@${occurredAt}`,
    action: 'ban',
    userId,
    reason: toText(restriction.privateReason) ?? toText(restriction.displayReason),
    occurredAt,
    expiresAt: seconds === undefined ? null : occurredAt + Number(seconds) * 1000,
    isLifted: restriction.active === false,
    moderator: describeModerator(entry.moderator),
    evidence: [
      ...(place === null ? [] : [`Place: ${place}`]),
      ...(toText(restriction.privateReason) !== null && toText(restriction.displayReason) !== null
        ? [`Shown to the player: ${toText(restriction.displayReason)}`]
        : []),
    ],
  }
}

function describeModerator(moderator: unknown): string | null {
  if (!isObject(moderator)) return null
  return toText(moderator.robloxUser) ?? (moderator.gameServerScript === undefined ? null : 'Game server')
}
