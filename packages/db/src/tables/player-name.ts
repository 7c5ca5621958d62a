import { id, integer, type Row, text } from './column.ts'

/** A name that a player has in a record: one row for each distinct name. Derived from the records. */
export const playerNameColumns = {
  workspace_id: id(),
  user_id: text(),
  name: text(),
  /** Its number in the index of names. A later name has a larger one. */
  id: integer(),
}
export type PlayerNameTable = Row<typeof playerNameColumns>
