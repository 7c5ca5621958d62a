import { caseNumbers, listCodec, MAX_EVIDENCE_FILES, severities, wire } from '@reeve/core'
import { inputField, nullableInput, pageFields, requestObject } from '@reeve/http'
import type { Static } from '@sinclair/typebox'
import { actionNames } from './actions.ts'
import {
  actionList,
  evidenceLines,
  reasonText,
  recordOrNone,
  searchText,
  statusList,
  valueText,
} from './codecs.ts'

const workspaceId = inputField(wire.id, 'The workspace; in query or body')
const userIds = inputField(wire.playerIds, 'The player; a read accepts several')
const severity = inputField(
  wire.oneOf(severities),
  'By default `low` for note and warn, `medium` for kick and mute, `high` for ban',
)
/** The maximum length of `username`, in characters. */
export const MAX_USERNAME_LENGTH = 100
const name = wire.name({ max: MAX_USERNAME_LENGTH, example: 'Builderman' })

/** The name of a player or staff member on the game platform. Several spaces look like one, and are stored as one. */
export const username: wire.Codec<string> = { ...name, read: (raw) => name.read(raw).replace(/\s+/g, ' ') }

export const ModerationRequest = requestObject({
  workspaceId,
  userUsername: nullableInput(username, 'The name of the player at that time'),
  userId: userIds,
  reason: inputField(reasonText),
  severity,
  actorPlatformUserId: inputField(wire.playerId, 'The person an API key acts for'),
  actorUsername: inputField(username, 'The person an API key acts for'),
  durationSeconds: nullableInput(wire.duration, 'For mute and ban'),
  evidence: nullableInput(evidenceLines),
  id: inputField(wire.id, 'The record'),
  action: inputField(wire.oneOf(actionNames), 'The action; absent for a read'),
  value: inputField(
    valueText,
    'Seconds for `extend`, text for `comment`, lines for `evidence`. The comments and evidence of a record have at most 64 KiB in total',
  ),
  templateId: inputField(
    wire.id,
    'The template of the new record. Without `action`, its ladder decides the action; `reason` is its text by default',
  ),
  evidenceFiles: inputField(
    listCodec(wire.id, { max: MAX_EVIDENCE_FILES, items: 'files', example: wire.id.example }),
    'For a new record: the files that the portal has uploaded for it',
  ),
  replaces: nullableInput(
    recordOrNone,
    'For mute and ban: the one in force that the caller knows of. If another one or none is in force, nothing is done',
  ),
})

export type ModerationInput = Static<typeof ModerationRequest>

const listFields = {
  workspaceId,
  banList: inputField(
    wire.boolean,
    '`true`: active bans; with `userId`, all on one page unless `limit` is set',
  ),
  banHistory: inputField(wire.boolean, '`true`: all bans, active or not'),
  actorUserId: inputField(wire.id, 'Only records created by this account or API key'),
  userId: userIds,
  severity: inputField(wire.oneOf(severities)),
  status: inputField(statusList),
  asOf: inputField(
    wire.time,
    'With `banList` and `userId`: the bans that were in force at this time, as they were then, instead of those in force now',
  ),
  ...pageFields,
}

/** The query of a `POST`. */
export const ModerationQuery = requestObject(listFields)
export const ModerationReadQuery = requestObject({
  ...listFields,
  action: inputField(actionList, 'Only records of these actions'),
  from: inputField(wire.time, 'Only records created at or after this time'),
  to: inputField(wire.time, 'Only records created before this time'),
  imported: inputField(
    wire.boolean,
    '`true`: only records that were imported; `false`: only those that were not',
  ),
  text: inputField(
    searchText,
    'Only records whose reason, revoke reason or comments contain this text, ignoring case and accents',
  ),
  caseNumber: inputField(caseNumbers, 'Only these cases'),
  links: inputField(
    wire.boolean,
    'With `banList` and `userId`, `true` returns as `linkedTo` which other players may be the same person, and their bans',
  ),
  id: inputField(wire.id, 'One record with its earlier versions, instead of a list'),
})

export type ModerationQueryInput = Static<typeof ModerationQuery>
export type ModerationReadQueryInput = Static<typeof ModerationReadQuery>
