import { wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import type { Static } from '@sinclair/typebox'

const text = wire.text({ min: 1, max: 500, multiline: true, example: 'Talk to Robin before you ban.' })

export const PinnedNoteRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  userId: inputField(wire.playerId, 'The player; with `text`'),
  text: inputField(text, 'What to show about the player; or `recordId`'),
  recordId: inputField(wire.id, 'The record to show'),
})
export const PinnedNoteQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'The pinned note'),
})

export type PinnedNoteInput = Static<typeof PinnedNoteRequest>

export const PinnedNote = responseObject(
  {
    id: stringField('Id of the pinned note'),
    userId: stringField('The player', wire.platformId.example),
    text: nullableString('Its text, or the reason of the record; null once redacted', text.example),
    recordId: nullableString('The record; null for a text'),
    caseNumber: nullableString('The case number of the record', '17'),
    createdBy: stringField('The account that pinned it'),
    createdAt: stringField('When it was pinned', wire.time.example),
  },
  'What staff see first about a player',
)
export type PinnedNote = Static<typeof PinnedNote>

export const PinnedNoteResponse = responseObject({ pinnedNote: PinnedNote }, 'The pinned note')
