import { wire } from '@reeve/core'
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
  actorId: inputField(wire.text({ min: 1, max: 100, example: wire.id.example }), 'Who did it'),
  action: inputField(actionText, 'What was done'),
  targetId: inputField(wire.text({ min: 1, max: 100, example: wire.id.example }), 'What it was done to'),
  from: inputField(wire.time, 'From then on'),
  to: inputField(wire.time, 'Before then'),
  ...pageFields,
})

export type AuditQueryInput = Static<typeof AuditQuery>

const snapshot = Type.Unknown({ description: 'The record as it stood; null where there was none' })

const Entry = responseObject(
  {
    id: stringField('Id of the entry'),
    sequence: stringField("Number of the change in the workspace's history", '42'),
    at: stringField('When it was done', wire.time.example),
    actorKind: Type.String({ enum: ['api_key', 'account', 'system'], description: 'Who did it' }),
    actorId: stringField('Id of the account or API key'),
    actorName: stringField('Its name at the time'),
    action: stringField('What was done', actionText.example),
    targetKind: stringField('What it was done to', 'record'),
    targetId: stringField('Id of what it was done to'),
    changes: Type.Union([
      Type.Object({ before: snapshot, after: snapshot }, { additionalProperties: false }),
      Type.Null(),
    ]),
    address: stringField('Network address it was done from'),
    requestId: stringField('`X-Request-Id` of the call'),
    hash: stringField('Seals the entry and all before it'),
  },
  'One change. `changes` is null once its texts were redacted',
)

export const AuditResponse = responseObject(
  {
    entries: Type.Array(Entry),
    nextCursor: nullableString(
      'Give it as `cursor` for the next page. A search through a long log may show short or empty pages; null alone is the end',
    ),
  },
  'The audit log, newest first',
)

export type EntryResponse = Static<typeof Entry>

/** A row as the interface shows it. */
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
  changes: row.changes === null ? null : parseChanges(row.changes),
  address: row.address,
  requestId: row.request_id,
  hash: row.hash,
})

function parseChanges(changes: string): { before: unknown; after: unknown } {
  const { before, after } = JSON.parse(changes) as { before: unknown; after: unknown }
  return { before, after }
}
