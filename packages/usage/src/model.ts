import { wire } from '@reeve/core'
import { answer, clearable, field, request, shown, shownOrNull } from '@reeve/http'
import { usageGroups } from '@reeve/metering'
import { type Static, Type } from '@sinclair/typebox'

export const UsageQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  from: field(wire.time, 'Hours that begin from then on; 30 days before `to` by default'),
  to: field(wire.time, 'Hours that begin before then; now by default'),
  by: field(wire.oneOf(usageGroups), 'What calls are summed by; `day` by default'),
})

export type UsageQueryInput = Static<typeof UsageQuery>

export const UsageAnswer = answer(
  {
    usage: Type.Array(
      answer(
        {
          group: shown('The day in UTC, the endpoint, or the id of the actor', '2026-03-01'),
          name: shownOrNull('Name of the actor; null for days, endpoints, and actors that are gone'),
          kind: shownOrNull('`api_key` or `account`; null where `name` is', 'api_key'),
          calls: shown('How many calls', '1200'),
          refused: shown('How many of them were answered 4xx', '12'),
          failed: shown('How many of them were answered 5xx', '0'),
        },
        'The calls of one day, endpoint or actor',
      ),
    ),
    total: shown('The calls of all of them', '1200'),
    month: answer(
      {
        calls: shown('Calls since the month (UTC) began', '31000'),
        quota: shownOrNull('How many the workspace may make in a month; null is without limit'),
      },
      'The current month',
    ),
  },
  'Calls that were counted against the workspace: days newest first, all else by most calls',
)

/** How many calls a quota may allow. */
export const callsAMonth = wire.wholeNumber({ min: 0, max: 1_000_000_000_000, example: '1000000' })

export const QuotaRequest = request({
  workspaceId: field(wire.id, 'The workspace'),
  monthlyQuota: clearable(callsAMonth, 'Calls a calendar month (UTC); null is without limit'),
})

export type QuotaInput = Static<typeof QuotaRequest>

export const QuotaAnswer = answer(
  {
    quota: answer(
      {
        workspaceId: shown('The workspace'),
        monthlyQuota: shownOrNull('Calls a calendar month (UTC); null is without limit', '1000000'),
      },
      'The quota of a workspace',
    ),
  },
  'The quota',
)
