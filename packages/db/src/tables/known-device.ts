import { hash, id, integer, type Row } from './column.ts'

/** A browser in which an account has signed in. */
export const knownDeviceColumns = {
  account_id: id(),
  /** SHA-256 in hex of the token in the device cookie. */
  token_hash: hash(),
  created_at: integer(),
  last_seen_at: integer(),
}
export type KnownDeviceTable = Row<typeof knownDeviceColumns>
