import { integer, type Row, text } from './column.ts'

/** What a record was before a change: one row a version that has been replaced. */
export const recordVersionColumns = {
  workspace_id: text(),
  record_id: text(),
  version: integer(),
  /** JSON of the record's answer as it stood. */
  snapshot: text(),
  replaced_at: integer(),
  replaced_by: text(),
}
export type RecordVersionTable = Row<typeof recordVersionColumns>
