import { wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { sanctionFields } from '../sanctions.ts'

/** The largest game servers have 700 players. */
const MAX_SERVER_PLAYERS = 700

const TAG = /^[\w-]{1,128}$/

const tag: wire.Codec<string> = {
  read: (text) => {
    if (text !== '' && !TAG.test(text)) throw new wire.WireError('must be the tag of an earlier response')
    return text
  },
  write: (value) => value,
  description: 'The `tag` of the previous response, if there was one',
  example: '5b0c3f9a17de-0-42--1x2y3z',
}

export const CheckRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  userIds: inputField(wire.playerIdList(MAX_SERVER_PLAYERS), 'The players of the server'),
  tag: inputField(tag),
})

const CheckedSanction = responseObject(
  {
    ...sanctionFields,
    message: nullableString(
      'Ready-made text for the player: until when, why, and how to appeal, if that is possible',
      'You are banned permanently. Reason: Exploiting. You can appeal. Appeal code: 7K3M9-Q9TX2',
    ),
  },
  'A ban or mute in force, and what to show to the player',
  'CheckedSanction',
)

const tagField = stringField('Pass as `tag` of the next check', tag.example)
const now = stringField('The time of the server, to apply `expiresAt`', wire.time.example)

export const CheckResponse = Type.Union(
  [
    responseObject(
      {
        bans: Type.Array(CheckedSanction, {
          description: 'The bans in force of these players, at most one for each: the one that ends last',
        }),
        mutes: Type.Array(CheckedSanction, {
          description: 'The mutes in force of these players, at most one for each: the one that ends last',
        }),
        tag: tagField,
        now,
      },
      'The sanctions in force; players without one are not listed',
    ),
    responseObject(
      { unchanged: stringField('`true`', 'true'), tag: tagField, now },
      'Nothing has changed since the response with the `tag` that was sent',
    ),
  ],
  { description: 'The sanctions in force, or that nothing has changed' },
)
