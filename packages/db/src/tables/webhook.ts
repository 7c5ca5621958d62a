import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** `standard` receives signed requests (Standard Webhooks); `discord` receives messages in a channel. */
export type WebhookKind = 'standard' | 'discord'
export type WebhookState = 'active' | 'paused' | 'disabled'
/** Why a webhook was paused or disabled; null if somebody did so by itself. */
export type WebhookStateReason =
  | 'restored'
  | 'rolled_back'
  | 'failing'
  | 'gone'
  | 'removed'
  | 'secret_unreadable'
  | 'creator_lost_access'

/** Where the events of a workspace are sent. */
export const webhookColumns = {
  workspace_id: id(),
  id: id(),
  name: text(),
  kind: text<WebhookKind>(),
  /** The URL that people see: for Discord without its token. */
  url: text(),
  /** Encrypted: the signing key, or for Discord the URL. Null once it must not be used any more. */
  secret: nullable(text()),
  /** Encrypted: the signing key before the last rotation, which also signs until `previous_secret_until`. */
  previous_secret: nullable(text()),
  previous_secret_until: nullable(integer()),
  /** JSON array of event types. */
  events: text(),
  state: text<WebhookState>(),
  state_reason: nullable(text<WebhookStateReason>()),
  /** It receives the events of changes after this sequence of the audit log. */
  active_since: integer(),
  /** Failed attempts since the last success. */
  failures: integer(),
  /** When the first of them failed that was no test; later if a long time without attempts followed. */
  failing_since: nullable(integer()),
  last_success_at: nullable(integer()),
  last_failure_at: nullable(integer()),
  last_status: nullable(integer()),
  last_error: nullable(text()),
  /** Nothing is sent before this time: the receiver has asked for it, or has failed repeatedly. */
  hold_until: integer(),
  /** No unfinished delivery is due before this time; null if there is none. */
  next_due_at: nullable(integer()),
  created_by: idOrText(),
  created_at: integer(),
  updated_at: integer(),
  /** Its rows are deleted by the cleanup job. */
  deleted_at: nullable(integer()),
  version: integer(),
}
export type WebhookTable = Row<typeof webhookColumns>
