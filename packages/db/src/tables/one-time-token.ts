import { hash, id, integer, nullable, type Row, text } from './column.ts'

/** A secret that works once and for a limited time: a challenge of a sign-in method, or a link. */
export const oneTimeTokenColumns = {
  /** SHA-256 in hex of the token; the token itself is never stored. */
  token_hash: hash(),
  /** What it is for; it works for nothing else. */
  purpose: text(),
  /** The account that it was issued to; null where the account is not known yet. */
  account_id: nullable(id()),
  /** JSON object of what its purpose needs. */
  data: text(),
  created_at: integer(),
  expires_at: integer(),
}
export type OneTimeTokenTable = Row<typeof oneTimeTokenColumns>
