/** A link that makes whoever holds it a member. Its row goes when it is accepted or withdrawn. */
export interface InvitationTable {
  workspace_id: string
  id: string
  /** SHA-256 in hex of the token; the token itself is never stored. */
  token_hash: string
  /** JSON array of the ids of the roles it gives. */
  role_ids: string
  /** What its maker wrote down about it. */
  note: string | null
  /** The account that made it: what it gives is bounded by what that account may give at the time of acceptance. */
  created_by: string
  created_at: number
  expires_at: number
}
