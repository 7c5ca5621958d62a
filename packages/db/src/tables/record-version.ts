import { id, idOrText, int32, integer, type Row, text } from './column.ts'

/** An earlier version of a record. */
export const recordVersionColumns = {
  workspace_id: id(),
  record_id: id(),
  version: int32(),
  /** JSON of the values that the change replaced: see `record-versions.ts`. */
  snapshot: text(),
  replaced_at: integer(),
  replaced_by: idOrText(),
}
export type RecordVersionTable = Row<typeof recordVersionColumns>
