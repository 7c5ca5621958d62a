import { id, integer, type Row } from './column.ts'

/** A record whose texts were removed. Outlives the record, because older archives may still contain the texts. */
export const redactionColumns = {
  workspace_id: id(),
  record_id: id(),
  /** The last time. */
  redacted_at: integer(),
}
export type RedactionTable = Row<typeof redactionColumns>
