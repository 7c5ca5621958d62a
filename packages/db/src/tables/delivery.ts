import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** An event to send to a webhook, or that was sent. */
export const deliveryColumns = {
  workspace_id: id(),
  id: id(),
  /** The webhook. */
  target_id: id(),
  /** The type of the event. */
  kind: text(),
  /** What the event is about. */
  resource_id: nullable(idOrText()),
  /** The body to send, JSON; null once the texts of its record were redacted. */
  payload: nullable(text()),
  state: text<DeliveryState>(),
  /** Attempts that were started. */
  attempt: integer(),
  /** When the next attempt is due; while one is in progress, when its lease ends. */
  due_at: integer(),
  leased_until: nullable(integer()),
  /** The process that sends it. */
  leased_by: nullable(text()),
  last_status: nullable(integer()),
  last_error: nullable(text()),
  /** The start of the last response. */
  response: nullable(text()),
  duration_ms: nullable(integer()),
  /** The message in Discord, which is edited when its ban ends. */
  message_id: nullable(text()),
  created_at: integer(),
  done_at: nullable(integer()),
}
export type DeliveryTable = Row<typeof deliveryColumns>

/** How far a consumer of the audit log of a workspace has read. */
export const deliveryCursorColumns = {
  workspace_id: id(),
  consumer: text(),
  /** The sequence of the last entry that was read. */
  sequence: integer(),
  /** Of the sequence: after a restore or a roll-back, sequences stand for other changes. */
  epoch: text(),
  /** Sanctions that expired until this time were reported. */
  expired_until: integer(),
  /** Of those that expired at exactly this time, the last one that was reported, by id; null if all were. */
  expired_id: nullable(id()),
}
export type DeliveryCursorTable = Row<typeof deliveryCursorColumns>
