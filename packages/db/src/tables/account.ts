import { integer, nullable, type Row, text } from './column.ts'

/** A person who signs in to the portal. */
export const accountColumns = {
  id: text(),
  username: text(),
  /** The username folded for comparison: unique. */
  username_key: text(),
  password_hash: text(),
  is_operator: integer(),
  /** Since when it cannot sign in; null while it can. */
  disabled_at: nullable(integer()),
  created_at: integer(),
  updated_at: integer(),
}
export type AccountTable = Row<typeof accountColumns>
