import { hash, id, integer, type Row, text } from './column.ts'

export const sessionColumns = {
  id: id(),
  /** SHA-256 in hex of the token; the token itself is never stored. */
  token_hash: hash(),
  account_id: id(),
  created_at: integer(),
  last_seen_at: integer(),
  expires_at: integer(),
  address: text(),
  user_agent: text(),
  /** The factors that were verified, comma-separated, in the order in which they were. */
  factors: text(),
  /** When a factor was last verified. */
  verified_at: integer(),
}
export type SessionTable = Row<typeof sessionColumns>
