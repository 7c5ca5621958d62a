import { id, integer, nullable, type Row, text } from './column.ts'

/** A user account of the portal. */
export const accountColumns = {
  id: id(),
  username: text(),
  /** The normalized username: unique. */
  username_key: text(),
  /** Argon2id, in PHC format; null for an account without a password. */
  password_hash: nullable(text()),
  is_operator: integer(),
  /** When it was disabled; null while it can sign in. */
  disabled_at: nullable(integer()),
  created_at: integer(),
  updated_at: integer(),
}
export type AccountTable = Row<typeof accountColumns>
