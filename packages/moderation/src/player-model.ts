import { wire } from '@reeve/core'
import { answer, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { reasonText } from './texts.ts'

export const PlayersQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  q: field(
    wire.text({ min: 1, max: 100, example: 'builder' }),
    'The beginning of an id, or of a name without regard to case; an id that fits whole comes first',
  ),
  userId: field(wire.platformId, 'Exactly this player, instead of a search'),
  ...pageFields,
})

export type PlayersQueryInput = Static<typeof PlayersQuery>

const Standing = Type.Union(
  [
    answer(
      {
        id: shown('Id of the record'),
        caseNumber: shown('Its case number', '17'),
        reason: shownOrNull('Why; null once redacted', reasonText.example),
        createdAt: shown('Since when', wire.time.example),
        expiresAt: shownOrNull('When it ends by itself; null is never', wire.time.example),
      },
      'The record that is in force',
    ),
    Type.Null(),
  ],
  { nullable: true },
)

export type ShownStanding = Static<typeof Standing>

const Player = answer(
  {
    userId: shown('The player', wire.platformId.example),
    userUsername: shownOrNull('The newest name that is known', 'Builderman'),
    otherNames: Type.Array(Type.String(), { description: 'Other names they were seen with, newest first' }),
    ban: Type.Union([...Standing.anyOf], { nullable: true, description: 'The ban in force; null for none' }),
    mute: Type.Union([...Standing.anyOf], {
      nullable: true,
      description: 'The mute in force; null for none',
    }),
    records: shown('How many records there are of the player', '3'),
    lastRecordAt: shown('When the newest of them was made', wire.time.example),
  },
  'A player of whom there are records',
)

export type ShownPlayer = Static<typeof Player>

export const PlayersAnswer = answer(
  { players: Type.Array(Player), nextCursor: shownOrNull('Give it as `cursor` for the next page') },
  'Players: those whose id fits first, then those whose name does',
)

export const ReasonsQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  action: field(wire.oneOf(['note', 'warn', 'kick', 'mute', 'ban']), 'Only reasons of this action'),
  limit: pageFields.limit,
})

export type ReasonsQueryInput = Static<typeof ReasonsQuery>

export const ReasonsAnswer = answer(
  {
    reasons: Type.Array(
      answer(
        {
          reason: shown('The text', reasonText.example),
          count: shown('How often it was given lately', '12'),
          lastUsedAt: shown('When it was last given', wire.time.example),
        },
        'A reason',
      ),
    ),
  },
  'Reasons given in the newest records, the last one first',
)

/** How many names one call tells. */
const MAX_ACTORS = 100

export const ActorsQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  ids: field(wire.ids(MAX_ACTORS), 'Accounts or API keys; absent for whoever recorded something lately'),
  limit: pageFields.limit,
})

export type ActorsQueryInput = Static<typeof ActorsQuery>

export const ActorsAnswer = answer(
  {
    actors: Type.Array(
      answer(
        {
          id: shown('The account or API key'),
          name: shown('Its name, or the newest it recorded with', 'robin'),
        },
        'An actor',
      ),
    ),
  },
  'Accounts and API keys by name; those that nothing is known of are left out',
)
