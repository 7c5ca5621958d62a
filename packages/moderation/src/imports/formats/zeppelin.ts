import type { RecordAction, SanctionKind } from '@reeve/core'
import { emptyRecord, type ForeignRecord, type ParseFile, toItem, UnreadableEntry } from './format.ts'
import { readJson } from './json.ts'
import {
  type Fields,
  isObject,
  requireObject,
  requireText,
  shorten,
  toPlayerId,
  toText,
  toTime,
} from './values.ts'
import { createZeppelinBans } from './zeppelin-bans.ts'

/**
 * The export of a server from the dashboard of Zeppelin: its cases with their notes. Bans arrive with their ends after the rest of the file, because
 * any later case can lift them.
 */
export const parseZeppelin: ParseFile = async function* (text) {
  const bans = createZeppelinBans()
  for await (const item of readJson(text, ['cases'])) {
    if ('problem' in item) {
      yield item
      continue
    }
    const read = toItem(item.line, () => convert(requireObject(item.value)))
    if ('record' in read && read.record.lifts?.kind === 'ban') bans.addUnban(read.record)
    if ('record' in read && read.record.action === 'ban') bans.addBan(read)
    else yield read
  }
  yield* bans.listBans()
}

interface CaseType {
  readonly action: RecordAction
  readonly name?: string
  readonly lifts?: SanctionKind
}

/**
 * The types of cases by their number. An unban and an unmute are cases of their own, which become notes: what an earlier file has brought ends with
 * them.
 */
const TYPES: Readonly<Record<string, CaseType>> = {
  1: { action: 'ban' },
  2: { action: 'note', name: 'Unban', lifts: 'ban' },
  3: { action: 'note' },
  4: { action: 'warn' },
  5: { action: 'kick' },
  6: { action: 'mute' },
  7: { action: 'note', name: 'Unmute', lifts: 'mute' },
  8: { action: 'note', name: 'Deleted case' },
  9: { action: 'kick', name: 'Softban' },
}

function convert(entry: Fields): ForeignRecord {
  const typeNumber = requireText(entry, 'type')
  const type = Object.hasOwn(TYPES, typeNumber) ? TYPES[typeNumber] : undefined
  if (type === undefined) throw new UnreadableEntry(`type ${shorten(typeNumber)} is unknown`)
  const notes = (Array.isArray(entry.notes) ? entry.notes : []).filter(isObject)
  const [first, ...others] = notes.map((note) => toText(note.body) ?? '').filter((body) => body !== '')
  const reason = [type.name, first].filter((part) => part !== undefined).join(': ')
  return {
    ...emptyRecord,
    sourceId: requireText(entry, 'case_number'),
    action: type.action,
    userId: toPlayerId('discord', entry, 'user_id'),
    userUsername: toText(entry.user_name),
    reason: reason === '' ? null : reason,
    occurredAt: toTime(entry, 'created_at'),
    // A case of a mute does not say when it ends, so it is history.
    isLifted: type.action === 'mute',
    lifts: type.lifts === undefined ? null : { kind: type.lifts, sourceIdPrefix: '' },
    moderator: toText(entry.mod_name),
    evidence: others,
  }
}
