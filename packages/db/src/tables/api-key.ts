export interface ApiKeyTable {
  workspace_id: string
  id: string
  name: string
  /** SHA-256 in hex of the key; the key itself is never stored. */
  key_hash: string
  /** The last characters, so that people can tell keys apart. */
  hint: string
  /** JSON array of permission names. */
  permissions: string
  /** The rank of whoever made it. */
  rank: number
  /** JSON array of CIDR ranges; null allows every address. */
  allowed_addresses: string | null
  created_by: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  last_used_address: string | null
  revoked_at: number | null
  revoked_by: string | null
}
