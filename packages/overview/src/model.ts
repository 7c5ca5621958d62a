import { wire } from '@reeve/core'
import { answer, field, request, shown, shownOrNull } from '@reeve/http'
import { type Static, type TSchema, Type } from '@sinclair/typebox'

export const OverviewQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  since: field(wire.time, 'What was done from then on; the last 24 hours by default'),
})

export type OverviewQueryInput = Static<typeof OverviewQuery>

/** A part that is null for whoever may not see it. */
const visible = <Part extends TSchema>(part: Part, permission: string) =>
  Type.Union([part, Type.Null()], {
    nullable: true,
    description: `${part.description}. Null without \`${permission}\``,
  })

const InForce = answer(
  { bans: shown('How many bans', '12'), mutes: shown('How many mutes', '3') },
  'What is in force at the moment of reading',
)

const Done = answer(
  {
    since: shown('From then on', wire.time.example),
    complete: shown(
      'Whether all of it was looked at; `false` where so much was done that only the newest was counted',
      'true',
    ),
    actions: Type.Array(
      answer(
        {
          action: shown('What was done, as moderation names its actions', 'ban'),
          count: shown('How often', '7'),
        },
        'One kind of action',
      ),
      { description: 'By most' },
    ),
    actors: Type.Array(
      answer(
        {
          actorKind: shown('`api_key`, `account` or `system`', 'account'),
          actorId: shown('Id of the account or API key'),
          actorName: shown('Its name at the time', 'robin'),
          count: shown('How much it did', '7'),
        },
        'One who acted',
      ),
      { description: 'By most' },
    ),
  },
  'What moderation did lately, and who',
)

const NextEvents = Type.Array(
  answer(
    {
      id: shown('Id of the event'),
      title: shown('Its title', 'Cadet training'),
      eventType: shown('Of what kind', 'training'),
      scheduledFor: shown('When it is scheduled for', wire.time.example),
      endsAt: shown('When it ends', wire.time.example),
      published: shown('`false` for a draft', 'true'),
    },
    'An event that has not ended',
  ),
  { description: 'The next five events, soonest first; drafts for those who manage events' },
)

const Usage = answer(
  {
    calls: shown('Calls since the month (UTC) began', '31000'),
    quota: shownOrNull('How many the workspace may make in a month; null is without limit'),
  },
  'The current month',
)

const SwitchedEndpoints = Type.Array(
  answer(
    {
      endpoint: shown('Last part of the path of the endpoint', 'events'),
      mode: shown('`read_only` or `off`', 'off'),
      message: shownOrNull('What refused callers read instead of the usual sentence'),
    },
    'An endpoint that is not on',
  ),
  { description: 'The endpoints that are not on' },
)

const step = (what: string, permission: string) =>
  shownOrNull(`Whether there is ${what}; null without \`${permission}\``, 'true')

const FirstSteps = answer(
  {
    member: step('another member', 'members.view'),
    role: step('a role besides that of the owner', 'roles.view'),
    apiKey: step('an API key', 'api_keys.manage'),
    record: step('a moderation record', 'moderation.view'),
    department: step('a department', 'departments.view'),
    event: step('an event', 'events.view'),
  },
  'What a new workspace has of what it needs',
)

export const OverviewAnswer = answer(
  {
    inForce: visible(InForce, 'moderation.view'),
    done: visible(Done, 'moderation.view'),
    nextEvents: visible(NextEvents, 'events.view'),
    usage: visible(Usage, 'usage.view'),
    endpoints: visible(SwitchedEndpoints, 'endpoint_controls.view'),
    firstSteps: FirstSteps,
  },
  'The state of a workspace on one page',
)

export type Overview = Static<typeof OverviewAnswer>
