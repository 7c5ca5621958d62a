import { wire } from '@reeve/core'
import {
  inputField,
  nextCursor,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { ClaimOrNull } from '../claims/model.ts'
import type { Claim } from '../claims/service.ts'
import type { InboxItem } from './source.ts'
import { inboxSourceNames } from './sources.ts'

/** The maximum number of mentions that one request marks. */
const MAX_MARKED = 200

const source = wire.oneOf(inboxSourceNames)

export const InboxCountsQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const InboxQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  source: inputField(source, 'The kind of things to list'),
  ...pageFields,
})

export const MarkMentionsRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  ids: inputField(wire.ids(MAX_MARKED), 'Only these items of the inbox; by default all of them'),
  recordId: inputField(wire.id, 'Only those of this record'),
  read: inputField(wire.boolean, '`false` marks them as unread; `true` by default'),
})

export type InboxQueryInput = Static<typeof InboxQuery>
export type MarkMentionsInput = Static<typeof MarkMentionsRequest>

const sourceField = Type.String({ enum: [...inboxSourceNames], description: 'The kind of things' })

const Item = responseObject(
  {
    id: stringField('Unique within its kind'),
    source: sourceField,
    at: stringField('When it came', wire.time.example),
    read: stringField('`true` if the reader has read it', 'false'),
    recordId: stringField('The record'),
    caseNumber: stringField('Its case number', '17'),
    action: stringField('`note`, `warn`, `kick`, `mute` or `ban`', 'note'),
    userId: stringField('The player', wire.platformId.example),
    userUsername: nullableString('The name of the player at that time', 'Builderman'),
    text: nullableString('What it says; null once redacted', 'Exploiting'),
    actorId: nullableString('The account or API key that caused it'),
    requested: Type.Union(
      [
        responseObject(
          {
            durationSeconds: nullableString('The requested duration; null is permanent', '63072000'),
            expiresAt: stringField(
              'When the temporary ban ends, and the request with it, unless somebody decides',
              wire.time.example,
            ),
          },
          'What was requested',
        ),
        Type.Null(),
      ],
      { nullable: true, description: 'Of a ban that waits for approval: what was requested' },
    ),
    claim: ClaimOrNull,
  },
  'Something that waits for the reader',
  'InboxItem',
)

export const InboxCountsResponse = responseObject(
  {
    counts: Type.Array(
      responseObject(
        { source: sourceField, count: stringField('How many, at most 100', '3') },
        'A kind of things that the reader may see',
      ),
    ),
  },
  'How much waits for the reader: cases, and mentions that are unread',
)
export const InboxResponse = responseObject(
  { items: Type.Array(Item), nextCursor },
  'Appeals that wait longest and approvals that end next are first, cases and mentions newest first',
)

/** Converts an item to its API form. @param claim null if nobody works on it */
export const presentItem = (
  name: (typeof inboxSourceNames)[number],
  { record, requested, ...item }: InboxItem,
  claim: Claim | null,
): Static<typeof Item> => ({
  id: item.id,
  source: name,
  at: wire.time.write(item.at),
  read: String(item.isRead),
  recordId: record.id,
  caseNumber: String(record.case_number),
  action: record.action,
  userId: record.user_id,
  userUsername: record.user_username,
  text: item.text,
  actorId: item.actorId,
  requested: requested
    ? {
        durationSeconds: requested.duration_seconds === null ? null : String(requested.duration_seconds),
        expiresAt: wire.time.write(requested.expires_at),
      }
    : null,
  claim,
})
