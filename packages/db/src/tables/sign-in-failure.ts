import { integer, type Row, text } from './column.ts'

/** A failed sign-in, kept as long as the throttle looks back. */
export const signInFailureColumns = {
  id: text(),
  username_key: text(),
  address: text(),
  at: integer(),
}
export type SignInFailureTable = Row<typeof signInFailureColumns>
