import { integer, type Row, text } from './column.ts'

/** A failed sign-in within the window of the throttle. */
export const signInFailureColumns = {
  id: text(),
  username_key: text(),
  address: text(),
  at: integer(),
}
export type SignInFailureTable = Row<typeof signInFailureColumns>
