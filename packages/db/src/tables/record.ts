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
  /** Null for what was revoked before there was this column, too. */
  revoked_by_username: nullable(text()),
  revoked_by_platform_user_id: nullable(text()),
  revoke_reason: nullable(text()),
  redacted_at: nullable(integer()),
  /** Of an imported record: when it happened, who acted, and where it comes from with its id there. */
  occurred_at: nullable(integer()),
  original_moderator: nullable(text()),
  source: nullable(text()),
  source_id: nullable(text()),
  /** The code with which the player appeals a ban, as a number of 50 bits; null if it cannot be appealed. */
  appeal_code: nullable(integer()),
  /** From when until when a ban can be appealed; null without such a limit. */
  appeal_from: nullable(integer()),
  appeal_until: nullable(integer()),
  sequence: int32(),
  version: int32(),
  /** The template that it was created with, its ladder, the version that each had, and the step that applied. */
  template_id: nullable(id()),
  template_version: nullable(int32()),
  ladder_id: nullable(id()),
  ladder_version: nullable(int32()),
  step: nullable(int32()),
  /** When it stops counting in its ladder, before the window ends. Null if it counts for the whole window. */
  counts_until: nullable(integer()),
  /** What the player reads instead of the reason: the text that the template had. */
  public_reason: nullable(text()),
  /** The number of items of evidence, files and comments, because lists do not read them. */
  evidence_count: int32(),
  evidence_file_count: int32(),
  comment_count: int32(),
  /** JSON array of strings. */
  evidence: text(),
  /** JSON array of files, whose content is in `evidence_file`. */
  evidence_files: text(),
  /** JSON array of comments. */
  comments: text(),
}
export type RecordTable = Row<typeof recordColumns>
