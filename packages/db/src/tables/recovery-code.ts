import { hash, id, integer, type Row } from './column.ts'

/** A recovery code of an account that was not used yet. */
export const recoveryCodeColumns = {
  account_id: id(),
  /** SHA-256 in hex of the code; the code itself is never stored. */
  code_hash: hash(),
  created_at: integer(),
}
export type RecoveryCodeTable = Row<typeof recoveryCodeColumns>
