import { creatorStatuses } from '@reeve/auth'
import { wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, type TSchema, Type } from '@sinclair/typebox'

export const OverviewQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  timeZone: inputField(wire.timeZone, 'In which days begin; UTC by default'),
})

export type OverviewQueryInput = Static<typeof OverviewQuery>

/** A part that is null without a permission. */
const nullablePart = <Part extends TSchema>(part: Part, permission: string) =>
  Type.Union([part, Type.Null()], {
    nullable: true,
    description: `${part.description}. Null without \`${permission}\``,
  })

const ActiveSanctions = responseObject(
  {
    bans: stringField('Number of bans', '12'),
    mutes: stringField('Number of mutes', '3'),
    nextExpiryAt: nullableString('When the next one of them ends; null if none does', wire.time.example),
  },
  'The sanctions in force',
)

const ActivityDay = responseObject(
  {
    from: stringField('Start of the day', wire.time.example),
    to: stringField('End of the day, exclusive', '2026-03-02T18:00:00.000Z'),
    bans: stringField('Number of bans', '2'),
    warnings: stringField('Number of warnings', '5'),
  },
  'A day',
)

const Activity = responseObject(
  {
    from: stringField('Start of today', wire.time.example),
    to: stringField('End of today, exclusive', '2026-03-02T18:00:00.000Z'),
    count: stringField('Number of actions today', '12'),
    actions: Type.Array(
      responseObject(
        {
          action: stringField('The moderation action', 'ban'),
          count: stringField('Number of times', '7'),
        },
        'One kind of action',
      ),
      { description: 'In descending order' },
    ),
    actors: Type.Array(
      responseObject(
        {
          actorKind: stringField('`api_key`, `account` or `system`', 'account'),
          actorId: stringField('Id of the account or API key'),
          actorName: stringField('Name of the actor at that time', 'robin'),
          count: stringField('Number of actions', '7'),
        },
        'An actor',
      ),
      { description: 'In descending order' },
    ),
    days: Type.Array(ActivityDay, { description: 'The last 30 days, oldest first; the last one is today' }),
  },
  'The moderation actions of today, by action and by actor, and those of the last 30 days',
)

const NextEvents = Type.Array(
  responseObject(
    {
      id: stringField('Id of the event'),
      title: stringField('Its title', 'Cadet training'),
      eventType: stringField('Type of the event', 'training'),
      scheduledFor: stringField('Start time', wire.time.example),
      endsAt: stringField('End time', wire.time.example),
      published: stringField('`false` for a draft', 'true'),
    },
    'An event that has not ended',
  ),
  { description: 'The next five events, soonest first; drafts for those who manage events' },
)

const Usage = responseObject(
  {
    calls: stringField('Requests since the start of the month (UTC)', '31000'),
    quota: nullableString('Monthly quota of the workspace; null is unlimited'),
  },
  'The current month',
)

const RestrictedEndpoints = Type.Array(
  responseObject(
    {
      endpoint: stringField('Last segment of the path of the endpoint', 'events'),
      mode: stringField('`read_only` or `off`', 'off'),
      message: nullableString('Error message in place of the default one'),
    },
    'A disabled or read-only endpoint',
  ),
  { description: 'The disabled and read-only endpoints' },
)

const FailingWebhooks = Type.Array(
  responseObject(
    {
      id: stringField('ID of the webhook'),
      name: stringField('Its name', 'Ban log'),
      state: stringField(
        '`active` if it has failed for an hour or its creator is gone, `paused` if it has to be confirmed or was paused when its creator lost access, or `disabled`',
        'disabled',
      ),
      stateReason: nullableString('Why it was paused or disabled', 'failing'),
      creatorStatus: Type.String({
        enum: [...creatorStatuses],
        description: 'As that of a webhook: `member`, or why its creator is gone',
      }),
    },
    'A webhook',
  ),
  {
    description:
      'Webhooks that have failed for an hour, whose creator is gone, that were paused when their creator lost access, that Reeve has disabled, and that wait for confirmation',
  },
)

const stepField = (subject: string, permission: string) =>
  nullableString(`Whether there is ${subject}; null without \`${permission}\``, 'true')

const FirstSteps = responseObject(
  {
    member: stepField('another member', 'members.view'),
    role: stepField('a role other than the owner role', 'roles.view'),
    apiKey: stepField('an API key', 'api_keys.manage'),
    record: stepField('a moderation record', 'moderation.view'),
    department: stepField('a department', 'departments.view'),
    event: stepField('an event', 'events.view'),
  },
  'Setup steps of a new workspace',
)

export const OverviewResponse = responseObject(
  {
    inForce: nullablePart(ActiveSanctions, 'moderation.view'),
    done: nullablePart(Activity, 'moderation.view'),
    nextEvents: nullablePart(NextEvents, 'events.view'),
    usage: nullablePart(Usage, 'usage.view'),
    endpoints: nullablePart(RestrictedEndpoints, 'endpoint_controls.view'),
    webhooks: nullablePart(FailingWebhooks, 'webhooks.manage'),
    keysToConfirm: nullableString(
      'How many API keys a restore has brought back and nobody has confirmed; null without `api_keys.manage`',
    ),
    orphanedKeys: nullableString(
      'Number of API keys that still work although their creator has left, or is disabled. Null without `api_keys.manage`',
      '0',
    ),
    firstSteps: FirstSteps,
  },
  'The state of a workspace',
)

export type Overview = Static<typeof OverviewResponse>
