import { hash, id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** An invitation link. Anyone who opens it can join; the row is deleted once it is accepted or withdrawn. */
export const invitationColumns = {
  workspace_id: id(),
  id: id(),
  /** SHA-256 in hex of the token; the token itself is never stored. */
  token_hash: hash(),
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
