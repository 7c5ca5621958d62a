/** A person who signs in to the portal. */
export interface AccountTable {
  id: string
  username: string
  /** The username folded for comparison: unique. */
  username_key: string
  /** Argon2id, in PHC format; null for an account without a password. */
  password_hash: string | null
  is_operator: number
  /** Since when it cannot sign in; null while it can. */
  disabled_at: number | null
  created_at: number
  updated_at: number
}
