import type { RecordAction, RecordStatus, Severity } from '@reeve/core'
import { integer, nullable, type Row, text } from './column.ts'

/** One moderation entry about one player. */
export const recordColumns = {
  workspace_id: text(),
  id: text(),
  case_number: integer(),
  action: text<RecordAction>(),
  user_id: text(),
  user_username: nullable(text()),
  /** The normalized username. */
  user_username_key: nullable(text()),
  reason: nullable(text()),
  severity: text<Severity>(),
  /** JSON array of strings. */
  evidence: text(),
  /** The number of its items, because lists do not read them. */
  evidence_count: integer(),
  /** JSON array of comments. */
  comments: text(),
  comment_count: integer(),
  duration_seconds: nullable(integer()),
  expires_at: nullable(integer()),
  /** Why the sanction ended. Null until a change records that, even after `expires_at`. */
  ended: nullable(text<Exclude<RecordStatus, 'active'>>()),
  /** 1 for the player's current ban and current mute. A partial unique index allows one of each. */
  in_force: integer(),
  actor_kind: text<'api_key' | 'account' | 'system'>(),
  actor_id: text(),
  actor_username: nullable(text()),
  actor_platform_user_id: nullable(text()),
  created_at: integer(),
  updated_at: integer(),
  acknowledged_at: nullable(integer()),
  revoked_at: nullable(integer()),
  revoked_by: nullable(text()),
  revoke_reason: nullable(text()),
  redacted_at: nullable(integer()),
  sequence: integer(),
  version: integer(),
}
export type RecordTable = Row<typeof recordColumns>
