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
  from: inputField(wire.time, 'Hours that begin from then on; 30 days before `to` by default'),
  to: inputField(wire.time, 'Hours that begin before then; now by default'),
  by: inputField(wire.oneOf(usageGroups), 'What calls are summed by; `day` by default'),
})

export type UsageQueryInput = Static<typeof UsageQuery>

export const UsageResponse = responseObject(
  {
    usage: Type.Array(
      responseObject(
        {
          group: stringField('The day in UTC, the endpoint, or the id of the actor', '2026-03-01'),
          name: nullableString('Name of the actor; null for days, endpoints, and actors that are gone'),
          kind: nullableString('`api_key` or `account`; null where `name` is', 'api_key'),
          calls: stringField('How many calls', '1200'),
          refused: stringField('How many of them were answered 4xx', '12'),
          failed: stringField('How many of them were answered 5xx', '0'),
        },
        'The calls of one day, endpoint or actor',
      ),
    ),
    total: stringField('The calls of all of them', '1200'),
    month: responseObject(
      {
        calls: stringField('Calls since the month (UTC) began', '31000'),
        quota: nullableString('How many the workspace may make in a month; null is without limit'),
      },
      'The current month',
    ),
  },
  'Calls that were counted against the workspace: days newest first, all else by most calls',
)

/** How many calls a quota may allow. */
export const monthlyQuotaCodec = wire.integer({ min: 0, max: 1_000_000_000_000, example: '1000000' })

export const QuotaRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  monthlyQuota: nullableInput(monthlyQuotaCodec, 'Calls a calendar month (UTC); null is without limit'),
})

export type QuotaInput = Static<typeof QuotaRequest>

export const QuotaResponse = responseObject(
  {
    quota: responseObject(
      {
        workspaceId: stringField('The workspace'),
        monthlyQuota: nullableString('Calls a calendar month (UTC); null is without limit', '1000000'),
      },
      'The quota of a workspace',
    ),
  },
  'The quota',
)
