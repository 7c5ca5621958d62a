import type { RecordAction, RecordStatus, Severity } from '@reeve/core'
import { id, idOrText, int32, integer, nullable, type Row, text, word } from './column.ts'

/** One moderation entry about one player. */
export const recordColumns = {
  workspace_id: id(),
  id: id(),
  case_number: int32(),
  action: text<RecordAction>(),
  user_id: text(),
  user_username: nullable(text()),
  reason: nullable(text()),
  severity: word<Severity>(),
  duration_seconds: nullable(integer()),
  expires_at: nullable(integer()),
  /** Why the sanction ended. Null until a change records that, even after `expires_at`. */
  ended: nullable(text<Exclude<RecordStatus, 'active'>>()),
  /** 1 for the player's current ban and current mute. A partial unique index allows one of each. */
  in_force: int32(),
  actor_kind: word<'api_key' | 'account' | 'system'>(),
  actor_id: idOrText(),
  actor_username: nullable(text()),
  actor_platform_user_id: nullable(text()),
  created_at: integer(),
  updated_at: integer(),
  acknowledged_at: nullable(integer()),
  revoked_at: nullable(integer()),
  revoked_by: nullable(idOrText()),
  revoke_reason: nullable(text()),
  redacted_at: nullable(integer()),
  sequence: int32(),
  version: int32(),
  /** The number of items of evidence and comments, because lists do not read them. */
  evidence_count: int32(),
  comment_count: int32(),
  /** JSON array of strings. */
  evidence: text(),
  /** JSON array of comments. */
  comments: text(),
}
export type RecordTable = Row<typeof recordColumns>
