import { hash, id, idOrText, integer, nullable, type Row, text } from './column.ts'

export const apiKeyColumns = {
  workspace_id: id(),
  id: id(),
  name: text(),
  /** SHA-256 in hex of the key; the key itself is never stored. */
  key_hash: hash(),
  /** The last characters, by which people recognize the key. */
  hint: text(),
  /** JSON array of permission names. */
  permissions: text(),
  /** The rank of its creator. */
  rank: integer(),
  /** JSON of the limits of its creator; null for none. */
  limits: nullable(text()),
  /** JSON array of CIDR ranges; null allows every IP address. */
  allowed_addresses: nullable(text()),
  created_by: idOrText(),
  created_at: integer(),
  expires_at: nullable(integer()),
  last_used_at: nullable(integer()),
  last_used_address: nullable(text()),
  revoked_at: nullable(integer()),
  revoked_by: nullable(idOrText()),
  /** When a restore brought the key back; null once somebody has confirmed that it is still in use. */
  restored_at: nullable(integer()),
}
export type ApiKeyTable = Row<typeof apiKeyColumns>
