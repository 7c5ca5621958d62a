import { wire } from '@reeve/core'
import {
  inputField,
  nullableInput,
  nullableString,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { usageGroups } from '@reeve/metering'
import { type Static, Type } from '@sinclair/typebox'

export const UsageQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  from: inputField(wire.time, 'Hours that start at or after this time; 30 days before `to` by default'),
  to: inputField(wire.time, 'Hours that start before this time; now by default'),
  by: inputField(wire.oneOf(usageGroups), 'How requests are grouped; `day` by default'),
})

export type UsageQueryInput = Static<typeof UsageQuery>

export const UsageResponse = responseObject(
  {
    usage: Type.Array(
      responseObject(
        {
          group: stringField('The day in UTC, the endpoint, or the id of the actor', '2026-03-01'),
          name: nullableString('Name of the actor; null for days, endpoints and deleted actors'),
          kind: nullableString('`api_key` or `account`; null if `name` is', 'api_key'),
          calls: stringField('Number of requests', '1200'),
          refused: stringField('Requests with a 4xx response', '12'),
          failed: stringField('Requests with a 5xx response', '0'),
        },
        'The requests of one day, endpoint or actor',
      ),
    ),
    total: stringField('Number of all requests', '1200'),
    month: responseObject(
      {
        calls: stringField('Requests since the start of the month (UTC)', '31000'),
        quota: nullableString('Monthly quota of the workspace; null is unlimited'),
      },
      'The current month',
    ),
  },
  'Counted requests: days newest first; endpoints and actors in descending order of requests',
)

/** The requests per month that a quota allows. */
export const monthlyQuotaCodec = wire.integer({ min: 0, max: 1_000_000_000_000, example: '1000000' })

export const QuotaRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  monthlyQuota: nullableInput(monthlyQuotaCodec, 'Requests per calendar month (UTC); null is unlimited'),
})

export type QuotaInput = Static<typeof QuotaRequest>

export const QuotaResponse = responseObject(
  {
    quota: responseObject(
      {
        workspaceId: stringField('The workspace'),
        monthlyQuota: nullableString('Requests per calendar month (UTC); null is unlimited', '1000000'),
      },
      'The quota of a workspace',
    ),
  },
  'The quota',
)
