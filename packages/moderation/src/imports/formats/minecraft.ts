import { emptyRecord, type ForeignRecord, type ParseFile, toItem } from './format.ts'
import { readJson } from './json.ts'
import { type Fields, requireObject, toPlayerId, toText, toTime } from './values.ts'

/** `banned-players.json` of a Minecraft server. An entry has no id: its player and its time identify it. */
export const parseMinecraft: ParseFile = async function* (text) {
  for await (const item of readJson(text, [])) {
    if ('problem' in item) yield item
    else yield toItem(item.line, () => convert(requireObject(item.value)))
  }
}

function convert(entry: Fields): ForeignRecord {
  const userId = toPlayerId('minecraft', entry, 'uuid')
  const occurredAt = toTime(entry, 'created')
  const expires = toText(entry.expires)
  return {
    ...emptyRecord,
    sourceId: `${userId}@${occurredAt}`,
    action: 'ban',
    userId,
    userUsername: toText(entry.name),
    reason: toText(entry.reason),
    occurredAt,
    expiresAt: expires === null || expires === 'forever' ? null : toTime(entry, 'expires'),
    moderator: toText(entry.source),
  }
}
