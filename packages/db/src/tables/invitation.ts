import { integer, nullable, type Row, text } from './column.ts'

/** A link that makes whoever holds it a member. Its row goes when it is accepted or withdrawn. */
export const invitationColumns = {
  workspace_id: text(),
  id: text(),
  /** SHA-256 in hex of the token; the token itself is never stored. */
  token_hash: text(),
  /** JSON array of the ids of the roles it gives. */
  role_ids: text(),
  /** What its maker wrote down about it. */
  note: nullable(text()),
  /** The account that made it: what it gives is bounded by what that account may give at the time of acceptance. */
  created_by: text(),
  created_at: integer(),
  expires_at: integer(),
}
export type InvitationTable = Row<typeof invitationColumns>
