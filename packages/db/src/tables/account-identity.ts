import { id, integer, nullable, type Row, text } from './column.ts'

/** An account of an identity provider that signs in to an account of this instance. */
export const accountIdentityColumns = {
  /** The issuer of the provider, a URL. */
  issuer: text(),
  /** What the provider calls the account; together with the issuer unique, and never reassigned. */
  subject: text(),
  account_id: id(),
  /** The id of the provider in the settings when the account was linked. */
  provider: text(),
  /** The name that the provider last gave, for people to read. */
  name: nullable(text()),
  created_at: integer(),
  last_used_at: nullable(integer()),
}
export type AccountIdentityTable = Row<typeof accountIdentityColumns>
