import { wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

/** The longest period, in days: a leap year. */
export const MAX_DAYS = 366
export const DEFAULT_DAYS = 30

/** The maximum number of moderators and of reasons in a response. */
export const MAX_ENTRIES = 50

const views = ['days', 'moderators', 'reasons', 'responses'] as const

const periodFields = {
  workspaceId: inputField(wire.id, 'The workspace'),
  from: inputField(
    wire.time,
    `Days of UTC from the one of this time on; by default the last ${DEFAULT_DAYS} days`,
  ),
  to: inputField(
    wire.time,
    `Days of UTC before the one that begins at or after this time; by default up to today. At most ${MAX_DAYS} days`,
  ),
}

export const InsightsQuery = requestObject(periodFields)
export const InsightsCsvQuery = requestObject({
  ...periodFields,
  view: inputField(wire.oneOf(views), '`days` by default'),
})

export type InsightsQueryInput = Static<typeof InsightsQuery>
export type InsightsCsvInput = Static<typeof InsightsCsvQuery>

const countFields = {
  bans: stringField('Number of bans', '12'),
  mutes: stringField('Number of mutes', '3'),
  warnings: stringField('Number of warnings', '20'),
  kicks: stringField('Number of kicks', '5'),
  lifted: stringField('How many of them were lifted or revoked since', '2'),
  appealed: stringField('How many of the bans were appealed since, each counted once', '1'),
}

const Response = responseObject(
  {
    kind: stringField('`report` or `appeal`', 'report'),
    count: stringField('How many began in the period', '40'),
    answered: stringField('How many of them a person has responded to', '38'),
    medianMinutes: nullableString('The median time to the first response in minutes; null without one', '4'),
    withinFiveMinutes: stringField('How many of them within 5 minutes', '20'),
    withinHour: stringField('How many of them within an hour', '35'),
    withinDay: stringField('How many of them within a day', '38'),
  },
  'How quickly staff respond to one kind',
)

export const InsightsResponse = responseObject(
  {
    from: stringField('Start of the first day', wire.time.example),
    to: stringField('End of the last day, exclusive', '2026-03-02T00:00:00.000Z'),
    totals: responseObject(countFields, 'The whole period'),
    imported: stringField(
      'How many bans, mutes, warnings and kicks were imported: only `reasons` contains them',
      '0',
    ),
    days: Type.Array(
      responseObject({ day: stringField('The day in UTC', '2026-03-01'), ...countFields }, 'A day'),
      { description: 'Every day of the period, oldest first' },
    ),
    moderators: Type.Array(
      responseObject(
        {
          actorUserId: stringField('The account or API key'),
          actorUsername: nullableString('Its name; null if it is unknown', 'robin'),
          ...countFields,
        },
        'An account or API key',
      ),
      { description: `The ${MAX_ENTRIES} that acted most, most first` },
    ),
    reasons: Type.Array(
      responseObject(
        {
          reason: stringField('The reason on one line, cut off after 100 characters', 'Exploiting'),
          ...countFields,
        },
        'A reason',
      ),
      { description: `The ${MAX_ENTRIES} used most, most first` },
    ),
    responses: Type.Array(Response, { description: 'Reports and appeals' }),
  },
  'How much staff moderate, and how quickly they respond',
)

export type Insights = Static<typeof InsightsResponse>
