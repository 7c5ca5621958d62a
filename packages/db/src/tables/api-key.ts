import { integer, nullable, type Row, text } from './column.ts'

export const apiKeyColumns = {
  workspace_id: text(),
  id: text(),
  name: text(),
  /** SHA-256 in hex of the key; the key itself is never stored. */
  key_hash: text(),
  /** The last characters, so that people can tell keys apart. */
  hint: text(),
  /** JSON array of permission names. */
  permissions: text(),
  /** The rank of whoever made it. */
  rank: integer(),
  /** JSON array of CIDR ranges; null allows every address. */
  allowed_addresses: nullable(text()),
  created_by: text(),
  created_at: integer(),
  expires_at: nullable(integer()),
  last_used_at: nullable(integer()),
  last_used_address: nullable(text()),
  revoked_at: nullable(integer()),
  revoked_by: nullable(text()),
}
export type ApiKeyTable = Row<typeof apiKeyColumns>
