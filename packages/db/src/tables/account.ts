import { integer, nullable, type Row, text } from './column.ts'

/** A person who signs in to the portal. */
export const accountColumns = {
  id: text(),
  username: text(),
  /** The username folded for comparison: unique. */
  username_key: text(),
  /** Argon2id, in PHC format; null for an account without a password. */
  password_hash: nullable(text()),
  is_operator: integer(),
  /** Since when it cannot sign in; null while it can. */
  disabled_at: nullable(integer()),
  created_at: integer(),
  updated_at: integer(),
}
export type AccountTable = Row<typeof accountColumns>
