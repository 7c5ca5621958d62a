/** What a record was before a change: one row a version that has been replaced. */
export interface RecordVersionTable {
  workspace_id: string
  record_id: string
  version: number
  /** JSON of the record's answer as it stood. */
  snapshot: string
  replaced_at: number
  replaced_by: string
}
