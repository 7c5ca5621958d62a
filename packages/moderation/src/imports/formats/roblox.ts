import { emptyRecord, type ParseFile, toItem, UnreadableEntry } from './format.ts'
import { readJson } from './json.ts'
import { createRobloxLog, type RobloxChange } from './roblox-log.ts'
import { type Fields, isObject, requireObject, requireText, shorten, toText, toTime } from './values.ts'

/**
 * Restrictions of players as the Open Cloud API of Roblox returns them: `userRestrictions` (the current state of each player), or `logs` (every
 * change). Changes arrive as bans with their ends after the rest of the file, because any later line can belong before them.
 */
export const parseRoblox: ParseFile = async function* (text) {
  const log = createRobloxLog()
  for await (const item of readJson(text, ['userRestrictions', 'logs'])) {
    if ('problem' in item) {
      yield item
      continue
    }
    const { line, value } = item
    const isChange = isObject(value) && !isObject(value.gameJoinRestriction)
    const read = toItem(line, () => convert(requireObject(value)))
    if (isChange && 'record' in read) log.add(line, read.record)
    else yield read
  }
  yield* log.listRecords()
}

function convert(entry: Fields): RobloxChange {
  const isChange = !isObject(entry.gameJoinRestriction)
  const restriction = isObject(entry.gameJoinRestriction) ? entry.gameJoinRestriction : entry
  const user = requireText(entry, 'user')
  const [, userId] = /^users\/(\d{1,20})$/.exec(user) ?? []
  if (userId === undefined) throw new UnreadableEntry(`user is not a user: ${shorten(user)}`)
  const occurredAt = toTime(restriction, toText(restriction.startTime) === null ? 'createTime' : 'startTime')
  const duration = toText(restriction.duration)
  const [, seconds] = duration === null ? [] : (/^(\d{1,12})(?:\.\d+)?s$/.exec(duration) ?? [])
  if (duration !== null && seconds === undefined)
    throw new UnreadableEntry(`duration is not a duration: ${shorten(duration)}`)
  const place = findPlace(entry)
  const [privateReason, displayReason] = [
    toText(restriction.privateReason),
    toText(restriction.displayReason),
  ]
  const scope = `${place ?? 'universe'}/users/${userId}@`
  return {
    ...emptyRecord,
    scope,
    // When the restriction was changed, which is after it began if it was only edited.
    changedAt: isChange
      ? toTime(entry, toText(entry.createTime) === null ? 'startTime' : 'createTime')
      : occurredAt,
    sourceId: `${scope}${occurredAt}`,
    action: 'ban',
    userId,
    reason: privateReason ?? displayReason,
    occurredAt,
    expiresAt: seconds === undefined ? null : occurredAt + Number(seconds) * 1000,
    isLifted: isChange && restriction.active === false,
    // The current state does not say when it was changed.
    isInactive: !isChange && restriction.active === false,
    moderator: describeModerator(entry.moderator),
    evidence: [
      ...(place === null ? [] : [`Place: ${place}`]),
      ...(privateReason !== null && displayReason !== null ? [`Shown to the player: ${displayReason}`] : []),
    ],
  }
}

/** The place that a restriction is about, as `places/<id>`; null for the whole universe. */
function findPlace(entry: Fields): string | null {
  const [path] = /\bplaces\/\d{1,20}(?=\/)/.exec(toText(entry.path) ?? '') ?? []
  return toText(entry.place) ?? path ?? null
}

function describeModerator(moderator: unknown): string | null {
  if (!isObject(moderator)) return null
  return toText(moderator.robloxUser) ?? (moderator.gameServerScript === undefined ? null : 'Game server')
}
