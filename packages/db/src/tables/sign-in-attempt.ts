import { id, integer, type Row, text } from './column.ts'

/**
 * An attempt within the window of the throttle: to present a secret, such as a password, a setup code, an invitation token or an appeal code, or to
 * send a file with an appeal.
 */
export const signInAttemptColumns = {
  id: id(),
  /**
   * SHA-256 in hex of what the attempt is for: the normalized username as entered, which may be a mistyped password, or a text for appeal codes or
   * for the appeal files of a workspace (`code-lookup.ts`); empty for other secrets that belong to no account.
   */
  username_key: text(),
  /** The IPv4 address, or the IPv6 network of 64 bits; empty, like the networks, for what a game sends for its players. */
  address: text(),
  /** The IPv6 networks that contain it; the address itself for IPv4. */
  network_56: text(),
  network_48: text(),
  /** What the caller already had: a session, an invitation, a browser that is known to the account; otherwise empty. */
  credential: text(),
  /** 1 once the secret was verified, and then also for the failures before it; always 1 for a file. */
  has_succeeded: integer(),
  at: integer(),
}
export type SignInAttemptTable = Row<typeof signInAttemptColumns>
