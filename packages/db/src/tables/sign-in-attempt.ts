import { id, integer, type Row, text } from './column.ts'

/** An attempt to present a secret within the window of the throttle: a password, a setup code or an invitation token. */
export const signInAttemptColumns = {
  id: id(),
  /** Empty for a secret that belongs to no account. */
  username_key: text(),
  address: text(),
  /** What the caller already had: the id of a session or the hash of an invitation token; otherwise empty. */
  credential: text(),
  /** 1 once the secret was verified, and then also for the failures before it. */
  has_succeeded: integer(),
  at: integer(),
}
export type SignInAttemptTable = Row<typeof signInAttemptColumns>
