import { wire } from '@reeve/core'
import { storageQuotaCodec } from '@reeve/core/size'
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
          name: nullableString(
            'Name of the actor; null for days, endpoints, deleted actors and blanked names',
          ),
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
    storage: responseObject(
      {
        bytes: stringField('Stored bytes', '1200000000'),
        limit: nullableString('Storage quota of the workspace in bytes; null is unlimited', '5000000000'),
        records: stringField(
          'Bytes of records, their earlier versions, appeals, imports, batches, events sent to webhooks, and the audit log',
          '900000000',
        ),
        images: stringField('Bytes of the images of events', '100000000'),
        evidence: stringField('Bytes of evidence files', '120000000'),
        archives: stringField('Bytes of archives', '150000000'),
        responses: stringField(
          'Bytes of responses stored for requests with an `Idempotency-Key`',
          '50000000',
        ),
      },
      'The storage that the workspace uses now',
    ),
  },
  'Counted requests: days newest first; endpoints and actors in descending order of requests',
)

/** The requests per month that a quota allows. */
export const monthlyQuotaCodec = wire.integer({ min: 0, max: 1_000_000_000_000, example: '1000000' })

export const QuotaRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  monthlyQuota: nullableInput(monthlyQuotaCodec, 'Requests per calendar month (UTC); null is unlimited'),
  storageQuota: nullableInput(
    storageQuotaCodec,
    'Bytes, or a size such as 5GB; 0 is unlimited, null is the default of the instance',
  ),
})

export type QuotaInput = Static<typeof QuotaRequest>

export const QuotaResponse = responseObject(
  {
    quota: responseObject(
      {
        workspaceId: stringField('The workspace'),
        monthlyQuota: nullableString('Requests per calendar month (UTC); null is unlimited', '1000000'),
        storageQuota: nullableString(
          'Bytes; 0 is unlimited, null is the default of the instance',
          '5000000000',
        ),
      },
      'The quotas of a workspace',
    ),
  },
  'The quotas',
)
