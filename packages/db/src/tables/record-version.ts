import { integer, type Row, text } from './column.ts'

/** An earlier version of a record. */
export const recordVersionColumns = {
  workspace_id: text(),
  record_id: text(),
  version: integer(),
  /** JSON of the values that the change replaced: see `record-versions.ts`. */
  snapshot: text(),
  replaced_at: integer(),
  replaced_by: text(),
}
export type RecordVersionTable = Row<typeof recordVersionColumns>
