import { wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, type TSchema, Type } from '@sinclair/typebox'

export const OverviewQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  since: inputField(wire.time, 'What was done from then on; the last 24 hours by default'),
})

export type OverviewQueryInput = Static<typeof OverviewQuery>

/** A part that is null for whoever may not see it. */
const nullablePart = <Part extends TSchema>(part: Part, permission: string) =>
  Type.Union([part, Type.Null()], {
    nullable: true,
    description: `${part.description}. Null without \`${permission}\``,
  })

const ActiveSanctions = responseObject(
  { bans: stringField('How many bans', '12'), mutes: stringField('How many mutes', '3') },
  'What is in force at the moment of reading',
)

const Activity = responseObject(
  {
    since: stringField('From then on', wire.time.example),
    complete: stringField(
      'Whether all of it was looked at; `false` where so much was done that only the newest was counted',
      'true',
    ),
    actions: Type.Array(
      responseObject(
        {
          action: stringField('What was done, as moderation names its actions', 'ban'),
          count: stringField('How often', '7'),
        },
        'One kind of action',
      ),
      { description: 'By most' },
    ),
    actors: Type.Array(
      responseObject(
        {
          actorKind: stringField('`api_key`, `account` or `system`', 'account'),
          actorId: stringField('Id of the account or API key'),
          actorName: stringField('Its name at the time', 'robin'),
          count: stringField('How much it did', '7'),
        },
        'One who acted',
      ),
      { description: 'By most' },
    ),
  },
  'What moderation did lately, and who',
)

const NextEvents = Type.Array(
  responseObject(
    {
      id: stringField('Id of the event'),
      title: stringField('Its title', 'Cadet training'),
      eventType: stringField('Of what kind', 'training'),
      scheduledFor: stringField('When it is scheduled for', wire.time.example),
      endsAt: stringField('When it ends', wire.time.example),
      published: stringField('`false` for a draft', 'true'),
    },
    'An event that has not ended',
  ),
  { description: 'The next five events, soonest first; drafts for those who manage events' },
)

const Usage = responseObject(
  {
    calls: stringField('Calls since the month (UTC) began', '31000'),
    quota: nullableString('How many the workspace may make in a month; null is without limit'),
  },
  'The current month',
)

const RestrictedEndpoints = Type.Array(
  responseObject(
    {
      endpoint: stringField('Last part of the path of the endpoint', 'events'),
      mode: stringField('`read_only` or `off`', 'off'),
      message: nullableString('What refused callers read instead of the usual sentence'),
    },
    'An endpoint that is not on',
  ),
  { description: 'The endpoints that are not on' },
)

const stepField = (subject: string, permission: string) =>
  nullableString(`Whether there is ${subject}; null without \`${permission}\``, 'true')

const FirstSteps = responseObject(
  {
    member: stepField('another member', 'members.view'),
    role: stepField('a role besides that of the owner', 'roles.view'),
    apiKey: stepField('an API key', 'api_keys.manage'),
    record: stepField('a moderation record', 'moderation.view'),
    department: stepField('a department', 'departments.view'),
    event: stepField('an event', 'events.view'),
  },
  'What a new workspace has of what it needs',
)

export const OverviewResponse = responseObject(
  {
    inForce: nullablePart(ActiveSanctions, 'moderation.view'),
    done: nullablePart(Activity, 'moderation.view'),
    nextEvents: nullablePart(NextEvents, 'events.view'),
    usage: nullablePart(Usage, 'usage.view'),
    endpoints: nullablePart(RestrictedEndpoints, 'endpoint_controls.view'),
    firstSteps: FirstSteps,
  },
  'The state of a workspace on one page',
)

export type Overview = Static<typeof OverviewResponse>
