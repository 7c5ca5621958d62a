import type { Tables } from '@reeve/db'

/**
 * Workspace tables that are not archived: credentials, logs, counters, personal settings, what is derived, and the archives
 * themselves.
 */
export type ExcludedFromArchive =
  | 'activity'
  | 'activity_by_actor'
  | 'activity_progress'
  | 'api_key'
  | 'appealed_ban'
  | 'archive'
  | 'archive_evidence'
  | 'archive_image'
  | 'archive_part'
  | 'audit'
  | 'batch'
  | 'batch_item'
  | 'claim'
  | 'erasure'
  | 'former_member'
  | 'delivery'
  | 'delivery_cursor'
  | 'idempotency'
  | 'import'
  | 'import_issue'
  | 'import_part'
  | 'invitation'
  | 'mention'
  | 'player_name'
  | 'recent_ban'
  | 'reason_count'
  | 'record_count'
  | 'redaction'
  | 'response_time'
  | 'retention_run'
  | 'saved_view'
  | 'usage'
  | 'webhook'
  | 'workspace_head'
  | 'workspace_job'
  | 'workspace_job_row'

type WorkspaceScopedTable = {
  [Table in keyof Tables]: 'workspace_id' extends keyof Tables[Table] ? Table : never
}[keyof Tables]

/** Every archived table. A new workspace table must be added here or to `ExcludedFromArchive`. */
export type ContentTable = Exclude<WorkspaceScopedTable, ExcludedFromArchive>

export interface ContentDefinition<Table extends ContentTable> {
  /** The name of its rows in an archive. */
  readonly kind: string
  /** The primary key after `workspace_id`: one or two columns. */
  readonly key: readonly [keyof Tables[Table] & string, (keyof Tables[Table] & string)?]
  /** Columns with texts that can be large, which limit how many rows are read at a time. */
  readonly texts?: readonly (keyof Tables[Table] & string)[]
  /** Every column except `workspace_id`: a missing one does not compile. */
  readonly columns: Readonly<Record<Exclude<keyof Tables[Table], 'workspace_id'>, true>>
}
