import { id, integer, type Row, text } from './column.ts'

/** A lease: an account works on a record or an appeal until `expires_at`. Others can take it over from then on. */
export const claimColumns = {
  workspace_id: id(),
  target_kind: text<'record' | 'appeal'>(),
  target_id: id(),
  account_id: id(),
  claimed_at: integer(),
  expires_at: integer(),
}
export type ClaimTable = Row<typeof claimColumns>
