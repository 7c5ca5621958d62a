import { blob, id, integer, nullable, type Row, text } from './column.ts'

/** A WebAuthn credential of an account. */
export const passkeyColumns = {
  account_id: id(),
  id: id(),
  /** The host that it was created for, and works for only. */
  rp_id: text(),
  /** The credential id that the authenticator chose, in base64url: unique. */
  credential_id: text(),
  /** In COSE format. */
  public_key: blob(),
  /** The signature counter; stays 0 with passkeys that are synced between devices. */
  counter: integer(),
  /** JSON array of the transports that the browser reported. */
  transports: text(),
  /** 1 for a passkey that is synced between devices. */
  is_backed_up: integer(),
  /** The model of the authenticator, a UUID; zeros if it does not say. */
  aaguid: text(),
  name: text(),
  created_at: integer(),
  last_used_at: nullable(integer()),
  /** 1 once it has verified its user, which it must do to sign in alone; 0 also if it was added before this was stored. */
  has_verified_user: integer(),
}
export type PasskeyTable = Row<typeof passkeyColumns>
