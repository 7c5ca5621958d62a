import { linkConfidences, wire } from '@reeve/core'
import type { PlayerLinkTable } from '@reeve/db'
import { inputField, nextCursor, pageFields, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { sanctionFields } from '../sanctions.ts'

const linkActions = ['create', 'update', 'delete'] as const

const reason = wire.text({ min: 1, max: 1000, multiline: true, example: 'Same voice, same clan tag' })
const id = inputField(wire.id, 'The link')

export const LinksQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  userId: inputField(wire.playerId, 'Only the links of this player'),
  id: inputField(wire.id, 'One link, instead of a list'),
  ...pageFields,
})

export const LinkRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  action: inputField(wire.oneOf(linkActions), '`create` by default'),
  id,
  userId: inputField(wire.playerId, 'One player; for `create`'),
  linkedUserId: inputField(wire.playerId, 'The other player; for `create`'),
  confidence: inputField(wire.oneOf(linkConfidences), 'How sure you are that they are the same person'),
  reason: inputField(reason, 'Why they are linked'),
})

export type LinksQueryInput = Static<typeof LinksQuery>
export type LinkInput = Static<typeof LinkRequest>

const confidenceField = Type.String({
  enum: [...linkConfidences],
  description: 'How sure staff are that they are the same person',
})

export const PlayerLink = responseObject(
  {
    id: stringField('Id of the link'),
    workspaceId: stringField('The workspace it belongs to'),
    userId: stringField('One player: in a list of the links of a player, that one', wire.platformId.example),
    linkedUserId: stringField('The other player', '156'),
    confidence: confidenceField,
    reason: stringField('Why they are linked', reason.example),
    createdBy: stringField('The account or API key that created it'),
    createdAt: stringField('When it was created', wire.time.example),
    updatedAt: stringField('When it was last changed', wire.time.example),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A link between two players',
)

export const LinkResponse = responseObject({ link: PlayerLink }, 'The link')
export const LinksResponse = responseObject(
  {
    links: Type.Array(PlayerLink, { description: 'Newest first' }),
    nextCursor,
  },
  'Links between players',
)

const LinkedBan = responseObject(sanctionFields, 'A ban in force', 'LinkedBan')

/** A link as the ban check contains it on request. */
export const LinkedPlayer = responseObject(
  {
    userId: stringField('The player that was asked for', wire.platformId.example),
    linkedUserId: stringField('A player who may be the same person', '156'),
    confidence: confidenceField,
    linkId: stringField('The link'),
    ban: Type.Union([LinkedBan, Type.Null()], {
      nullable: true,
      description: 'The ban in force of the linked player; null if there is none',
    }),
  },
  'A player who is linked to one of the players that were asked for',
)

/**
 * The player at the other end of a link.
 * @param keys every form under which a player can be stored
 * @returns null if the link is not one of that player to another one
 */
export function findOtherPlayer(row: PlayerLinkTable, keys: readonly string[]): string | null {
  const { first_user_id: first, second_user_id: second } = row
  // A change of the default platform can make two players one.
  if (keys.includes(first) === keys.includes(second)) return null
  return keys.includes(first) ? second : first
}

/** Converts a row to its API form. @param keys every form of the player whose links are listed */
export const presentLink = (
  row: PlayerLinkTable,
  keys: readonly string[] = [],
): Static<typeof PlayerLink> => {
  const isSecond = findOtherPlayer(row, keys) === row.first_user_id
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    userId: isSecond ? row.second_user_id : row.first_user_id,
    linkedUserId: isSecond ? row.first_user_id : row.second_user_id,
    confidence: row.confidence,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: wire.time.write(row.created_at),
    updatedAt: wire.time.write(row.updated_at),
    version: String(row.version),
  }
}
