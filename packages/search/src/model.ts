import { wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

export const SearchQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  q: inputField(
    wire.text({ min: 1, max: 100, example: 'training' }),
    'A part of a name or title, ignoring case and accents; a case number such as `288` or `#288`, the id of a case, or the last characters of an API key',
  ),
})

export type SearchQueryInput = Static<typeof SearchQuery>

const Case = responseObject(
  {
    id: stringField('Id of the record'),
    caseNumber: stringField('Its case number', '288'),
    action: stringField('The moderation action', 'ban'),
    userId: stringField('The player', wire.playerId.example),
    userUsername: nullableString('Name of the player in the record', 'Builderman'),
  },
  'A moderation record',
)

const Member = responseObject(
  { accountId: stringField('Account id'), username: stringField('Username', 'robin') },
  'A member of the workspace',
)

const Role = responseObject(
  {
    id: stringField('Id of the role'),
    name: stringField('Its name', 'Senior moderator'),
    color: nullableString('`#rrggbb`', '#3366ff'),
  },
  'A role',
)

const Department = responseObject(
  {
    id: stringField('Id of the department'),
    name: stringField('Its name', 'Public relations'),
    color: nullableString('`#rrggbb`', '#3366ff'),
  },
  'A department that is not deleted',
)

const Event = responseObject(
  {
    id: stringField('Id of the event'),
    title: stringField('Its title', 'Cadet training'),
    eventType: stringField('Type of the event', 'training'),
    scheduledFor: stringField('Start time', wire.time.example),
    published: stringField('`false` for a draft', 'true'),
  },
  'An event',
)

const ApiKey = responseObject(
  {
    id: stringField('Id of the key'),
    name: stringField('Its name', 'Game server'),
    hint: stringField('The last characters of the key', 'x7Qp'),
    ended: stringField('Whether it was revoked or has expired', 'false'),
  },
  'An API key',
)

const Invitation = responseObject(
  {
    id: stringField('Id of the invitation'),
    note: stringField('The note of its creator', 'For Robin'),
    expiresAt: stringField('When it expires', wire.time.example),
  },
  'A pending invitation with a note',
)

const matches = <Item extends Parameters<typeof Type.Array>[0]>(
  item: Item,
  permission: string,
  order: string,
) => Type.Array(item, { description: `${order}. Empty without \`${permission}\`` })

const BY_NAME = 'Best match first, then by name'

export const SearchResponse = responseObject(
  {
    cases: matches(Case, 'moderation.view', 'The case with this number or id'),
    members: matches(Member, 'members.view', BY_NAME),
    roles: matches(Role, 'roles.view', BY_NAME),
    departments: matches(Department, 'departments.view', BY_NAME),
    events: matches(
      Event,
      'events.view',
      'Best match first, then upcoming events, soonest first, then past ones, latest first; drafts for those who manage events',
    ),
    apiKeys: matches(ApiKey, 'api_keys.manage', 'Best match first, then active keys'),
    invitations: matches(Invitation, 'members.manage', 'Best match first'),
  },
  'What matches the query, up to five of each kind',
)

export type SearchResults = Static<typeof SearchResponse>
