import { recordActions, wire } from '@reeve/core'
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
import { PlayerLink } from '../links/model.ts'
import { PinnedNote } from '../pins/model.ts'
import { reasonText } from '../records/codecs.ts'

export const PlayersQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  q: inputField(
    wire.text({ min: 1, max: 100, example: 'builder' }),
    'The start of an id, or a part of a name, without regard to case and accents; up to 2 characters find the start of a word only',
  ),
  userId: inputField(wire.playerId, 'This player, instead of a search'),
  ...pageFields,
})

export type PlayersQueryInput = Static<typeof PlayersQuery>

const ActiveSanction = Type.Union(
  [
    responseObject(
      {
        id: stringField('Id of the record'),
        caseNumber: stringField('Its case number', '17'),
        reason: nullableString('Reason; null once redacted', reasonText.example),
        createdAt: stringField('When it was created', wire.time.example),
        occurredAt: nullableString('Of an imported record: when it happened', wire.time.example),
        actorUsername: nullableString('The name of who created it', 'robin'),
        expiresAt: nullableString('When it expires; null is never', wire.time.example),
        waitsForApproval: stringField(
          '`true` for a ban that ends by itself unless another person approves it',
          'false',
        ),
        version: stringField('The version of the record', '1'),
        otherCases: Type.Array(Type.String(), {
          description:
            'The case numbers of the other active bans or mutes of the player: there are some if the player was stored under several forms, of which this one ends last',
        }),
      },
      'The record of an active ban or mute',
    ),
    Type.Null(),
  ],
  { nullable: true },
)

export type ActiveSanction = Static<typeof ActiveSanction>

const Player = responseObject(
  {
    userId: stringField('The player', wire.playerId.example),
    userUsername: nullableString('The newest known name', 'Builderman'),
    otherNames: Type.Array(Type.String(), { description: 'Other known names, newest first' }),
    matchedName: nullableString('The name that `q` was found in; null for a match by id', 'Builderman'),
    ban: Type.Union([...ActiveSanction.anyOf], {
      nullable: true,
      description: 'The active ban; null if none',
    }),
    mute: Type.Union([...ActiveSanction.anyOf], {
      nullable: true,
      description: 'The active mute; null if none',
    }),
    openAppeals: Type.Array(
      responseObject(
        { id: stringField('The appeal'), recordId: stringField('The ban') },
        'An open appeal of a ban',
        'OpenAppeal',
      ),
      {
        description:
          'The open appeals of the bans in force of the player; empty for those who may not view appeals',
      },
    ),
    records: stringField('Number of records of the player', '3'),
    lastRecordAt: stringField('When the newest record was created', wire.time.example),
  },
  'A player with at least one record',
)

export type Player = Static<typeof Player>

export const PlayersResponse = responseObject(
  {
    players: Type.Array(Player),
    nextCursor,
    pinnedNotes: Type.Optional(
      Type.Array(PinnedNote, { description: 'What staff see first about the player `userId`, newest first' }),
    ),
    links: Type.Optional(
      Type.Array(PlayerLink, { description: 'The links of the player `userId`, newest first' }),
    ),
    linkedPlayers: Type.Optional(
      Type.Array(Player, {
        description: 'The players they link to, without those who have no records and no sanction',
      }),
    ),
  },
  'Players: matches by id first, then by name: whole names, starts of names, starts of words, other parts. A page may have fewer players than the limit although there is a next page',
)

export const ReasonsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  action: inputField(wire.oneOf(recordActions), 'Only reasons of this action'),
  limit: pageFields.limit,
})

export type ReasonsQueryInput = Static<typeof ReasonsQuery>

export const ReasonsResponse = responseObject(
  {
    reasons: Type.Array(
      responseObject(
        {
          reason: stringField('The text, as last written', reasonText.example),
          count: stringField('Number of uses in recent records by people', '12'),
          lastUsedAt: stringField('When it was last used', wire.time.example),
        },
        'A reason',
      ),
    ),
  },
  'Reasons in recent records by people, most recently used first; case and spacing do not distinguish them',
)

/** The maximum number of ids in one request. */
const MAX_ACTORS = 100

export const ActorsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  ids: inputField(
    wire.ids(MAX_ACTORS),
    'Accounts or API keys; by default those that recently created a record',
  ),
  changed: inputField(
    wire.boolean,
    '`true` lists those that recently changed a record in any way, such as by lifting a ban',
  ),
  limit: pageFields.limit,
})

export type ActorsQueryInput = Static<typeof ActorsQuery>

export const ActorsResponse = responseObject(
  {
    actors: Type.Array(
      responseObject(
        {
          id: stringField('The account or API key'),
          name: stringField('Its name, or the one in its newest record or change', 'robin'),
        },
        'An actor',
      ),
    ),
  },
  'Accounts and API keys with their names; unknown ids are omitted',
)
