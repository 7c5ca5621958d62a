import { id, integer, nullable, type Row, text } from './column.ts'

/** The authenticator app of an account. */
export const totpColumns = {
  account_id: id(),
  /** The shared secret, encrypted with the key of the instance. */
  secret: text(),
  /** The time step whose code was accepted last; unless the clock was set back, neither it nor an earlier one is accepted again. */
  last_step: integer(),
  /** JSON array of the steps whose codes were accepted last, newest first: they are not accepted again, whatever the clock says. */
  used_steps: text(),
  created_at: integer(),
  last_used_at: nullable(integer()),
}
export type TotpTable = Row<typeof totpColumns>
