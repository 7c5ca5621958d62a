import { id, integer, nullable, type Row, text } from './column.ts'

/** Which action follows which number of records of a player. */
export const ladderColumns = {
  workspace_id: id(),
  id: id(),
  name: text(),
  name_key: text(),
  /** How many days a record counts; null forever. */
  window_days: nullable(integer()),
  /** JSON array of steps. */
  steps: text(),
  created_at: integer(),
  updated_at: integer(),
  archived_at: nullable(integer()),
  version: integer(),
}
export type LadderTable = Row<typeof ladderColumns>
