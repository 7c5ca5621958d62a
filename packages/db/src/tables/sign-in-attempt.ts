import { id, integer, type Row, text } from './column.ts'

/** An attempt to present a secret within the window of the throttle: a password, a setup code or an invitation token. */
export const signInAttemptColumns = {
  id: id(),
  /** SHA-256 in hex of the normalized username as entered, which may be a mistyped password; empty for a secret that belongs to no account. */
  username_key: text(),
  /** The IPv4 address, or the IPv6 network of 64 bits. */
  address: text(),
  /** The IPv6 networks that contain it; the address itself for IPv4. */
  network_56: text(),
  network_48: text(),
  /** What the caller already had: a session, an invitation, a browser that is known to the account; otherwise empty. */
  credential: text(),
  /** 1 once the secret was verified, and then also for the failures before it. */
  has_succeeded: integer(),
  at: integer(),
}
export type SignInAttemptTable = Row<typeof signInAttemptColumns>
