import { id, integer, type Row, text } from './column.ts'

/** Named filters of a record list. */
export const savedViewColumns = {
  workspace_id: id(),
  id: id(),
  /** Who created it. */
  account_id: id(),
  list: text<'bans' | 'mutes' | 'history' | 'records'>(),
  name: text(),
  /** The filters as the portal's query string. */
  filters: text(),
  /** 1 if everyone who may view records sees it. */
  is_shared: integer(),
  created_at: integer(),
  updated_at: integer(),
  version: integer(),
}
export type SavedViewTable = Row<typeof savedViewColumns>
