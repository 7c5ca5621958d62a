import {
  getEventPermission,
  hasPermission,
  type PermissionHolder,
  TEST_EVENT,
  webhookEventTypes,
  wire,
} from '@reeve/core'
import type { DeliveryTable, WebhookTable } from '@reeve/db'
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

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

export const DeliveryQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  webhookId: inputField(wire.id, 'The webhook; required for the list'),
  id: inputField(wire.id, 'One delivery with its body and response, instead of the list'),
  state: inputField(wire.oneOf(deliveryStates), 'Only deliveries in this state'),
  ...pageFields,
})

export type DeliveryQueryInput = Static<typeof DeliveryQuery>

const workspaceId = inputField(wire.id, 'The workspace; in query or body')

export const TestRequest = requestObject({ workspaceId, id: inputField(wire.id, 'The webhook') })

export type TestInput = Static<typeof TestRequest>

export const ResendRequest = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The webhook'),
  deliveryId: inputField(wire.id, 'One delivery, whatever its state'),
  since: inputField(wire.time, 'Instead: every failed delivery of events since this time'),
})

export type ResendInput = Static<typeof ResendRequest>

const deliveryFields = {
  id: stringField('ID of the delivery; the receiver gets it as `webhook-id`, the same with every attempt'),
  webhookId: stringField('The webhook'),
  type: Type.String({
    enum: [...webhookEventTypes, TEST_EVENT],
    description: 'The type of the event',
  }),
  state: Type.String({ enum: [...deliveryStates], description: '`failed` once no further attempt follows' }),
  attempts: stringField('Attempts that were started', '1'),
  nextAttemptAt: nullableString('When the next attempt is due; `null` if none follows'),
  lastStatus: nullableString('HTTP status of the last response', '200'),
  lastError: nullableString('Why the last attempt failed'),
  durationMs: nullableString('How long the last attempt took, in milliseconds', '42'),
  createdAt: stringField('When it was created', wire.time.example),
  finishedAt: nullableString('When it was delivered or failed for good'),
}

const Delivery = responseObject(deliveryFields, 'A delivery')
const DeliveryWithContent = responseObject(
  {
    ...deliveryFields,
    body: nullableString(
      'The body of the request, JSON; `null` without permission to view its event, and once its record was redacted',
    ),
    response: nullableString('The first 4 KiB of the last response'),
  },
  'A delivery with its content',
  'DeliveryWithContent',
)

export const DeliveryResponse = responseObject({ delivery: DeliveryWithContent }, 'The delivery')
export const DeliveriesResponse = responseObject(
  {
    deliveries: Type.Array(Delivery),
    nextCursor,
  },
  'Deliveries, newest first',
)
export const ResendResponse = responseObject(
  {
    resent: stringField('How many deliveries are sent again', '12'),
    hasMore: stringField('`true` if further ones match: repeat the request', 'false'),
  },
  'What is sent again',
)

/** The message ID that a receiver sees. Source: Standard Webhooks 1.0.0: it must not contain a full stop. */
export const toMessageId = ({ id }: Pick<DeliveryTable, 'id'>): string => id

/** A row without the texts that lists do not contain. */
export type DeliverySummary = Omit<DeliveryTable, 'payload' | 'response'>

/** What presenting a delivery needs of its webhook. */
type DeliveryTarget = Pick<WebhookTable, 'hold_until'>

/** When the next attempt follows: a pause delays everything but tests. */
const getNextAttempt = (row: DeliverySummary, { hold_until }: DeliveryTarget): number =>
  row.kind === TEST_EVENT ? row.due_at : Math.max(row.due_at, hold_until)

export const presentDelivery = (row: DeliverySummary, webhook: DeliveryTarget): Static<typeof Delivery> => ({
  id: row.id,
  webhookId: row.target_id,
  type: row.kind as Static<typeof Delivery>['type'],
  state: row.state,
  attempts: String(row.attempt),
  nextAttemptAt: row.done_at === null ? wire.time.write(getNextAttempt(row, webhook)) : null,
  lastStatus: row.last_status === null ? null : String(row.last_status),
  lastError: row.last_error,
  durationMs: row.duration_ms === null ? null : String(row.duration_ms),
  createdAt: wire.time.write(row.created_at),
  finishedAt: wire.writeNullableTime(row.done_at),
})

/** @param reader without the permission to view an event, its body is null */
export function presentDeliveryWithContent(
  row: DeliveryTable,
  webhook: DeliveryTarget,
  reader: PermissionHolder,
): Static<typeof DeliveryWithContent> {
  const permission = getEventPermission(row.kind)
  const canView = permission === null || hasPermission(reader, permission)
  return { ...presentDelivery(row, webhook), body: canView ? row.payload : null, response: row.response }
}
