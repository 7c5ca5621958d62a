import { hash, id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** An invitation: a link that anyone can open, or one to a username. The row is deleted once it is accepted, declined or withdrawn. */
export const invitationColumns = {
  workspace_id: id(),
  id: id(),
  /** SHA-256 in hex of the token of a link; the token itself is never stored. */
  token_hash: nullable(hash()),
  /** The username that was invited, as its inviter typed it; null for a link. */
  invitee_name: nullable(text()),
  /** The account with this username when it was invited; null for a link, and if there was none. */
  invitee_id: nullable(id()),
  /** JSON array of the ids of the roles it grants. */
  role_ids: text(),
  /** A note of its creator. */
  note: nullable(text()),
  /** The account that created it. On acceptance, it grants no more than this account may grant at that time. */
  created_by: idOrText(),
  created_at: integer(),
  expires_at: integer(),
}
export type InvitationTable = Row<typeof invitationColumns>
