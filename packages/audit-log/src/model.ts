import { wire } from '@reeve/core'
import type { AuditTable } from '@reeve/db'
import { answer, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const words = wire.text({ min: 1, max: 100, example: 'moderation.ban' })

export const AuditQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  actorId: field(wire.text({ min: 1, max: 100, example: wire.id.example }), 'Who did it'),
  action: field(words, 'What was done'),
  targetId: field(wire.text({ min: 1, max: 100, example: wire.id.example }), 'What it was done to'),
  from: field(wire.time, 'From then on'),
  to: field(wire.time, 'Before then'),
  ...pageFields,
})

export type AuditQueryInput = Static<typeof AuditQuery>

const record = Type.Unknown({ description: 'The record as it stood; null where there was none' })

const Entry = answer(
  {
    id: shown('Id of the entry'),
    sequence: shown("Number of the change in the workspace's history", '42'),
    at: shown('When it was done', wire.time.example),
    actorKind: Type.String({ enum: ['api_key', 'account', 'system'], description: 'Who did it' }),
    actorId: shown('Id of the account or API key'),
    actorName: shown('Its name at the time'),
    action: shown('What was done', words.example),
    targetKind: shown('What it was done to', 'record'),
    targetId: shown('Id of what it was done to'),
    changes: Type.Union([
      Type.Object({ before: record, after: record }, { additionalProperties: false }),
      Type.Null(),
    ]),
    address: shown('Network address it was done from'),
    requestId: shown('`X-Request-Id` of the call'),
    hash: shown('Seals the entry and all before it'),
  },
  'One change. `changes` is null once its texts were redacted',
)

export const AuditAnswer = answer(
  {
    entries: Type.Array(Entry),
    nextCursor: shownOrNull(
      'Give it as `cursor` for the next page. A search through a long log may show short or empty pages; null alone is the end',
    ),
  },
  'The audit log, newest first',
)

export type ShownEntry = Static<typeof Entry>

/** A row as the interface shows it. */
export const shownEntry = (row: AuditTable): ShownEntry => ({
  id: row.id,
  sequence: String(row.sequence),
  at: wire.time.write(row.at),
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  actorName: row.actor_name,
  action: row.action,
  targetKind: row.target_kind,
  targetId: row.target_id,
  changes: row.changes === null ? null : withoutSalt(row.changes),
  address: row.address,
  requestId: row.request_id,
  hash: row.hash,
})

function withoutSalt(changes: string): { before: unknown; after: unknown } {
  const { before, after } = JSON.parse(changes) as { before: unknown; after: unknown }
  return { before, after }
}
