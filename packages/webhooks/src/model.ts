import { creatorStatuses, getCreatorStatus } from '@reeve/auth'
import { HOUR_MS, webhookEventTypes, wire } from '@reeve/core'
import type { WebhookTable } from '@reeve/db'
import {
  inputField,
  nextCursor,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { eventSet, webhookUrl } from './codecs.ts'
import { MAX_FAILURE_GAP_MS, SUCCESS_TIME_MS } from './deliveries/limits.ts'
import type { WebhookRow } from './store.ts'

/** How long the secret before a rotation signs too, by default and at most, in seconds. */
export const DEFAULT_GRACE_SECONDS = 24 * 3600
const MAX_GRACE_SECONDS = 7 * DEFAULT_GRACE_SECONDS

const workspaceId = inputField(wire.id, 'The workspace; in query or body')
const id = inputField(wire.id, 'The webhook')

const fields = {
  workspaceId,
  name: inputField(wire.name({ min: 1, max: 100, example: 'Ban log' }), 'What it is for'),
  url: inputField(webhookUrl, 'Where events are sent'),
  events: inputField(eventSet, 'The events to send; you need the permission to view each'),
}

export const WebhookRequest = requestObject({
  ...fields,
  id,
  action: inputField(wire.oneOf(['create', 'update', 'pause', 'resume', 'rotate']), '`create` by default'),
  graceSeconds: inputField(
    wire.integer({ min: 0, max: MAX_GRACE_SECONDS, example: '86400' }),
    `For \`rotate\`: how long the old secret signs as well; ${DEFAULT_GRACE_SECONDS} by default. Only 0 is possible while the one before it still does`,
  ),
})

/** A `PATCH` does not create. */
export const WebhookPatch = requestObject({
  ...WebhookRequest.properties,
  action: inputField(wire.oneOf(['update', 'pause', 'resume', 'rotate']), '`update` by default'),
})

export type WebhookInput = Static<typeof WebhookRequest>

export const WebhookQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'One webhook instead of the list'),
  ...pageFields,
})

export type WebhookQueryInput = Static<typeof WebhookQuery>

export const EventTypesQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const WebhookDeletion = requestObject({ workspaceId: inputField(wire.id, 'The workspace'), id })

const Webhook = responseObject(
  {
    id: stringField('ID of the webhook'),
    workspaceId: stringField('The workspace it belongs to'),
    name: stringField('What it is for', 'Ban log'),
    kind: stringField('`standard` for signed requests, `discord` for messages in a channel', 'standard'),
    url: stringField('Where events are sent; for Discord without the token', webhookUrl.example),
    events: Type.Array(Type.String({ enum: [...webhookEventTypes] }), {
      description: 'The events that it receives',
    }),
    state: stringField('`active`, `paused` or `disabled`', 'active'),
    stateReason: nullableString(
      'Why it was paused or disabled: `restored` or `rolled_back` (the owner or an operator resumes it to confirm), `failing` for 5 days, `gone` (the receiver returned 410), `removed` (deleted in Discord) or `secret_unreadable` by Reeve, or `creator_lost_access` if it was paused when its creator lost access, or some of it; `null` if a person did it by itself',
    ),
    failures: stringField('Failed attempts since the last successful one', '0'),
    failingSince: nullableString(
      `Since when its deliveries fail; tests do not count, and after ${MAX_FAILURE_GAP_MS / HOUR_MS} hours without an attempt it starts again`,
    ),
    lastSuccessAt: nullableString(
      `When it last received an event, to within ${SUCCESS_TIME_MS / 1000} seconds`,
    ),
    lastFailureAt: nullableString('When an attempt last failed'),
    lastStatus: nullableString('HTTP status of the last response', '200'),
    lastError: nullableString('Why the last attempt failed'),
    holdUntil: nullableString(
      'Nothing is sent before this time, because the receiver asked for it or keeps failing',
    ),
    previousSecretUntil: nullableString('Until when the secret before the last rotation signs as well'),
    createdBy: stringField(
      'The account or API key that created it; if its creator is gone, that which has resumed it, rotated its secret or changed its URL since',
    ),
    creatorStatus: Type.String({
      enum: [...creatorStatuses],
      description:
        '`member` if the creator, or that of the API key, is an enabled member of the workspace, or the command line; of all others, the webhook still works although its creator is gone',
    }),
    createdAt: stringField('When it was created', wire.time.example),
    updatedAt: stringField('When it was last changed', wire.time.example),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A webhook',
)

export const WebhookResponse = responseObject({ webhook: Webhook }, 'The webhook')
export const WebhooksResponse = responseObject(
  {
    webhooks: Type.Array(Webhook),
    nextCursor,
  },
  'Webhooks, newest first',
)
export const ChangedWebhookResponse = responseObject(
  {
    webhook: Webhook,
    secret: nullableString(
      'The signing secret, after `create` and `rotate`. It is shown only once; `null` otherwise and for Discord',
      'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    ),
  },
  'The webhook, and its secret if it is new',
)

const EventType = responseObject(
  {
    type: stringField('The type', 'ban.created'),
    description: stringField('When it is sent', 'A player was banned.'),
    permission: stringField('The permission to subscribe to it', 'moderation.view'),
    example: stringField('The body of an example, JSON'),
    discordExample: stringField('The message of an example in Discord, JSON'),
  },
  'An event that webhooks can receive',
  'WebhookEventType',
)

export const EventTypesResponse = responseObject({ events: Type.Array(EventType) }, 'The events')

export const parseEvents = ({ events }: Pick<WebhookTable, 'events'>): string[] => JSON.parse(events)

/** Converts a row to its API form. @param now epoch milliseconds */
export const presentWebhook = (row: WebhookRow, now: number): (typeof Webhook)['static'] => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  kind: row.kind,
  url: row.url,
  events: parseEvents(row) as Static<typeof Webhook>['events'],
  state: row.state,
  stateReason: row.state_reason,
  failures: String(row.failures),
  failingSince: wire.writeNullableTime(row.failing_since),
  lastSuccessAt: wire.writeNullableTime(row.last_success_at),
  lastFailureAt: wire.writeNullableTime(row.last_failure_at),
  lastStatus: row.last_status === null ? null : String(row.last_status),
  lastError: row.last_error,
  holdUntil: row.hold_until > now ? wire.time.write(row.hold_until) : null,
  previousSecretUntil:
    row.previous_secret_until !== null && row.previous_secret_until > now
      ? wire.time.write(row.previous_secret_until)
      : null,
  createdBy: row.created_by,
  creatorStatus: getCreatorStatus(row),
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  version: String(row.version),
})
