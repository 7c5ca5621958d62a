import { wire } from '@reeve/core'
import {
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { reasonText } from '../records/codecs.ts'

export const PlayersQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  q: inputField(
    wire.text({ min: 1, max: 100, example: 'builder' }),
    'The beginning of an id, or of a name without regard to case; an id that fits whole comes first',
  ),
  userId: inputField(wire.platformId, 'Exactly this player, instead of a search'),
  ...pageFields,
})

export type PlayersQueryInput = Static<typeof PlayersQuery>

const ActiveSanction = Type.Union(
  [
    responseObject(
      {
        id: stringField('Id of the record'),
        caseNumber: stringField('Its case number', '17'),
        reason: nullableString('Why; null once redacted', reasonText.example),
        createdAt: stringField('Since when', wire.time.example),
        expiresAt: nullableString('When it ends by itself; null is never', wire.time.example),
      },
      'The record that is in force',
    ),
    Type.Null(),
  ],
  { nullable: true },
)

export type ActiveSanction = Static<typeof ActiveSanction>

const Player = responseObject(
  {
    userId: stringField('The player', wire.platformId.example),
    userUsername: nullableString('The newest name that is known', 'Builderman'),
    otherNames: Type.Array(Type.String(), { description: 'Other names they were seen with, newest first' }),
    ban: Type.Union([...ActiveSanction.anyOf], {
      nullable: true,
      description: 'The ban in force; null for none',
    }),
    mute: Type.Union([...ActiveSanction.anyOf], {
      nullable: true,
      description: 'The mute in force; null for none',
    }),
    records: stringField('How many records there are of the player', '3'),
    lastRecordAt: stringField('When the newest of them was made', wire.time.example),
  },
  'A player of whom there are records',
)

export type Player = Static<typeof Player>

export const PlayersResponse = responseObject(
  { players: Type.Array(Player), nextCursor: nullableString('Give it as `cursor` for the next page') },
  'Players: those whose id fits first, then those whose name does',
)

export const ReasonsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  action: inputField(wire.oneOf(['note', 'warn', 'kick', 'mute', 'ban']), 'Only reasons of this action'),
  limit: pageFields.limit,
})

export type ReasonsQueryInput = Static<typeof ReasonsQuery>

export const ReasonsResponse = responseObject(
  {
    reasons: Type.Array(
      responseObject(
        {
          reason: stringField('The text', reasonText.example),
          count: stringField('How often it was given lately', '12'),
          lastUsedAt: stringField('When it was last given', wire.time.example),
        },
        'A reason',
      ),
    ),
  },
  'Reasons given in the newest records, the last one first',
)

/** How many names one call tells. */
const MAX_ACTORS = 100

export const ActorsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  ids: inputField(wire.ids(MAX_ACTORS), 'Accounts or API keys; absent for whoever recorded something lately'),
  limit: pageFields.limit,
})

export type ActorsQueryInput = Static<typeof ActorsQuery>

export const ActorsResponse = responseObject(
  {
    actors: Type.Array(
      responseObject(
        {
          id: stringField('The account or API key'),
          name: stringField('Its name, or the newest it recorded with', 'robin'),
        },
        'An actor',
      ),
    ),
  },
  'Accounts and API keys by name; those that nothing is known of are left out',
)
