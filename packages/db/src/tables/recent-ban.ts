import { id, idOrText, integer, type Row } from './column.ts'

/** The bans of the last hour of people whose number of bans per hour is limited. */
export const recentBanColumns = {
  workspace_id: id(),
  /** The account, or the account that created the API key. */
  person_id: idOrText(),
  banned_at: integer(),
  record_id: id(),
}
export type RecentBanTable = Row<typeof recentBanColumns>
