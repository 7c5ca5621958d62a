/** One moderation entry about one player. */
export interface RecordTable {
  workspace_id: string
  id: string
  case_number: number
  action: 'note' | 'warn' | 'kick' | 'mute' | 'ban'
  user_id: string
  user_username: string | null
  /** That name folded for comparison. */
  user_username_key: string | null
  reason: string | null
  severity: 'low' | 'medium' | 'high' | 'critical'
  /** JSON array of texts. */
  evidence: string
  /** JSON array of comments. */
  comments: string
  duration_seconds: number | null
  expires_at: number | null
  /** How it ended; null while nothing but time can have ended it. */
  ended: 'revoked' | 'superseded' | 'expired' | null
  /** 1 for the one ban and the one mute that hold a player's place: a partial unique index keeps it one. */
  in_force: number
  actor_kind: 'api_key' | 'account' | 'system'
  actor_id: string
  actor_username: string | null
  actor_platform_user_id: string | null
  created_at: number
  updated_at: number
  acknowledged_at: number | null
  revoked_at: number | null
  revoked_by: string | null
  revoke_reason: string | null
  redacted_at: number | null
  sequence: number
  version: number
}
