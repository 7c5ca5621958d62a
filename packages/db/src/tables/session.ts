export interface SessionTable {
  id: string
  /** SHA-256 in hex of the token; the token itself is never stored. */
  token_hash: string
  account_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
  address: string
  user_agent: string
}
