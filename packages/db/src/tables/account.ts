import { id, integer, nullable, type Row, text } from './column.ts'

/** A user account of the portal. */
export const accountColumns = {
  id: id(),
  username: text(),
  /** The normalized username: unique. A deleted account has a key that no username can have. */
  username_key: text(),
  /** What the username looks like: unique. A deleted account has its key here. */
  username_skeleton: text(),
  /** Argon2id, in PHC format; null for an account without a password. */
  password_hash: nullable(text()),
  is_operator: integer(),
  /** Where security notices and links are sent to, confirmed by its owner; null for none. */
  email: nullable(text()),
  /** The address in lower case, which several accounts can have. */
  email_key: nullable(text()),
  /** 32 random bytes in base64url that passkeys name the account by; null before the first passkey. */
  user_handle: nullable(text()),
  /** When it was disabled; null while it can sign in. */
  disabled_at: nullable(integer()),
  created_at: integer(),
  updated_at: integer(),
}
export type AccountTable = Row<typeof accountColumns>

// The row of a deleted account stays, so that its name stays readable wherever its id is stored. Usernames contain no
// control characters, so these keys collide with none and sort before all of them.

/** The key of a deleted account, which gives its username back. */
export const deletedUsernameKey = (id: string): string => `\u0001${id}`

/** Greater than the key of every deleted account, and less than that of every other one. */
export const FIRST_USERNAME_KEY = '\u0002'
