import { ANY_MODERATION_ACTION, type Changes, parseChanges } from '@reeve/audit'
import { caseNumbers, listCodec, wire } from '@reeve/core'
import type { AuditTable } from '@reeve/db'
import {
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const actionText = wire.text({ min: 1, max: 100, example: 'moderation.ban' })

export const AuditQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  actorId: inputField(
    wire.text({ min: 1, max: 100, example: wire.id.example }),
    'Id of the account or API key',
  ),
  action: inputField(
    actionText,
    `The action; \`${ANY_MODERATION_ACTION}\` is every moderation action, without expiries and replaced sanctions`,
  ),
  targetId: inputField(
    listCodec(wire.text({ min: 1, max: 100 }), { max: 200, items: 'ids', example: wire.id.example }),
    'Ids of changed resources. An entry has to match one of `targetId`, `caseNumber` and `userId`',
  ),
  caseNumber: inputField(caseNumbers, 'Changes of these cases'),
  userId: inputField(wire.playerIds, 'Changes of every case of these players'),
  from: inputField(wire.time, 'At or after this time'),
  to: inputField(wire.time, 'Before this time'),
  ...pageFields,
})

export type AuditQueryInput = Static<typeof AuditQuery>

const {
  workspaceId: _workspace,
  caseNumber: _case,
  userId: _player,
  ...instanceFields
} = AuditQuery.properties

/** The log of the instance has neither a workspace nor records. */
export const InstanceAuditQuery = requestObject(instanceFields)

export type InstanceAuditQueryInput = Static<typeof InstanceAuditQuery>

export const SecurityActivityQuery = requestObject(pageFields)

export type SecurityActivityQueryInput = Static<typeof SecurityActivityQuery>

const fieldsBefore = Type.Unknown({
  description:
    'The changed fields before the change, with those that name the resource; of a deleted resource every field that was set; null for a new one',
})
const fieldsAfter = Type.Unknown({
  description:
    'The same fields after the change; of a new resource every field that is set; null for a deleted one',
})
const unchangedItems = Type.Optional(
  Type.Record(Type.String(), Type.String(), {
    description: 'How many items of a changed list stayed the same, and are in neither `before` nor `after`',
  }),
)

const Entry = responseObject(
  {
    id: stringField('Id of the entry'),
    sequence: stringField('Sequence number in the workspace', '42'),
    at: stringField('Time of the change', wire.time.example),
    actorKind: Type.String({ enum: ['api_key', 'account', 'system'], description: 'Kind of actor' }),
    actorId: stringField('Id of the account or API key'),
    actorName: stringField('Name of the actor at that time; empty if it was blanked'),
    action: stringField('The action', actionText.example),
    targetKind: stringField('Kind of the changed resource', 'record'),
    targetId: stringField('Id of the changed resource'),
    changes: Type.Union([
      Type.Object(
        { before: fieldsBefore, after: fieldsAfter, unchangedItems },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
    address: stringField('IP address of the client'),
    requestId: stringField('`X-Request-Id` of the request'),
    hash: stringField('Hash over the entry and the previous hash'),
  },
  'One change. `changes` is null if it was redacted',
)

export const AuditResponse = responseObject(
  {
    entries: Type.Array(Entry),
    nextCursor: nullableString(
      'Pass as `cursor` for the next page; null on the last one. Filtered pages can be short or empty before that',
    ),
  },
  'The audit log, newest first',
)

export type EntryResponse = Static<typeof Entry>

const InstanceEntry = responseObject(
  { ...Entry.properties, targetName: nullableString('The username of the account that the entry is about') },
  'One change of the instance',
)

export const InstanceAuditResponse = responseObject(
  { entries: Type.Array(InstanceEntry), nextCursor: AuditResponse.properties.nextCursor },
  'The audit log of the instance, newest first',
)

const ActivityEntry = responseObject(
  {
    id: stringField('Id of the entry'),
    at: stringField('Time', wire.time.example),
    action: stringField('What happened', 'accounts.sign_in'),
    byYou: Type.String({ enum: ['true', 'false'], description: 'Whether the account did it itself' }),
    actorName: stringField('Who did it: the name at that time'),
    targetKind: stringField('What it happened to: the account itself, or one of its sessions', 'account'),
    changes: Entry.properties.changes,
    address: nullableString('IP address of the client; null if somebody else did it'),
  },
  'What an account did, or what was done to it',
)

export const SecurityActivityResponse = responseObject(
  {
    entries: Type.Array(ActivityEntry),
    nextCursor: nullableString(
      'Pass as `cursor` for the next page; null on the last one. Pages can be short or empty before that',
    ),
  },
  'The security activity of the signed-in account, newest first',
)

/** A row as the API returns it to the account that it is about. The IP address of another person is left out. */
export function presentActivity(row: AuditTable, accountId: string): Static<typeof ActivityEntry> {
  const isOther = row.actor_kind === 'account' && row.actor_id !== accountId
  const { id, at, action, actorName, targetKind, changes, address } = presentEntry(row)
  return {
    id,
    at,
    action,
    actorName,
    targetKind,
    changes,
    byYou: wire.boolean.write(row.actor_kind === 'account' && !isOther),
    address: isOther || address === '' ? null : address,
  }
}

/** A row as the API returns it. */
export const presentEntry = (row: AuditTable): EntryResponse => ({
  id: row.id,
  sequence: String(row.sequence),
  at: wire.time.write(row.at),
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  actorName: row.actor_name,
  action: row.action,
  targetKind: row.target_kind,
  targetId: row.target_id,
  changes: row.changes === null ? null : presentChanges(parseChanges(row.changes)),
  address: row.address,
  requestId: row.request_id,
  hash: row.hash,
})

const presentChanges = ({ before, after, unchangedItems: counts }: Changes) => ({
  before,
  after,
  ...(counts && {
    unchangedItems: Object.fromEntries(
      Object.entries(counts).map(([field, count]) => [field, String(count)]),
    ),
  }),
})
