import type { RecordAction } from '@reeve/core'
import { emptyRecord, type ForeignRecord, type ParseFile, toItem, UnreadableEntry } from './format.ts'
import { readJson } from './json.ts'
import {
  type Fields,
  isObject,
  requireObject,
  requireText,
  shorten,
  toEpoch,
  toPlayerId,
  toText,
} from './values.ts'

/** `playersDB.json` of txAdmin. Times are in seconds. */
export const parseTxAdmin: ParseFile = async function* (text) {
  for await (const item of readJson(text, ['actions'])) {
    if ('problem' in item) yield item
    else yield toItem(item.line, () => convert(requireObject(item.value)))
  }
}

const ACTIONS: Readonly<Record<string, RecordAction>> = {
  ban: 'ban',
  warn: 'warn',
  kick: 'kick',
  mute: 'mute',
}

/** The identifiers of a player from the most to the least lasting one. */
const PREFERRED = ['license', 'license2', 'fivem', 'steam', 'discord', 'xbl', 'live'] as const

function findPlayer(ids: readonly string[]): string {
  for (const kind of PREFERRED) {
    const id = ids.find((candidate) => candidate.startsWith(`${kind}:`))
    if (id !== undefined) return toPlayerId('fivem', { ids: id }, 'ids')
  }
  throw new UnreadableEntry('ids has no identifier of a player')
}

function convert(entry: Fields): ForeignRecord {
  const type = requireText(entry, 'type')
  const action = ACTIONS[type]
  if (action === undefined) throw new UnreadableEntry(`type ${shorten(type)} is not an action of Reeve`)
  const ids = (Array.isArray(entry.ids) ? entry.ids : []).flatMap((id) => toText(id) ?? [])
  const revocation = isObject(entry.revocation) ? entry.revocation : {}
  const isLifted = toText(revocation.timestamp) !== null
  const userId = findPlayer(ids)
  const others = ids.filter((id) => !id.startsWith('ip:') && !userId.endsWith(id))
  return {
    ...emptyRecord,
    sourceId: requireText(entry, 'id'),
    action,
    userId,
    userUsername: toText(entry.playerName === false ? null : entry.playerName),
    reason: toText(entry.reason),
    occurredAt: toEpoch(entry, 'timestamp', 1000),
    expiresAt:
      (action === 'ban' || action === 'mute') &&
      toText(entry.expiration) !== null &&
      entry.expiration !== false
        ? toEpoch(entry, 'expiration', 1000)
        : null,
    isLifted,
    liftedAt: isLifted ? toEpoch(revocation, 'timestamp', 1000) : null,
    liftedBy: toText(revocation.author),
    liftReason: toText(revocation.reason),
    moderator: toText(entry.author),
    evidence: others.length > 0 ? [`Identifiers: ${others.join(' ')}`] : [],
    ip: ids.find((id) => id.startsWith('ip:'))?.slice('ip:'.length) ?? null,
    isAcknowledged: entry.acked === true,
  }
}
