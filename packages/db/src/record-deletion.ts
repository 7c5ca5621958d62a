import { statement } from './statement.ts'

/** Some records of a workspace. */
export interface RecordIds {
  readonly workspaceId: string
  readonly ids: readonly string[]
}

/** Deletes the earlier versions of records: before the records, or before others take their place. */
export const deleteRecordVersions = statement<RecordIds>()((sql, p, dialect) =>
  sql
    .deleteFrom('record_version')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids)),
)

/** Deletes records, and with them their appeals, requests for approval, assignments, mentions and pinned notes. */
export const deleteRecords = statement<RecordIds>()((sql, p, dialect) =>
  sql.deleteFrom('record').where('workspace_id', '=', p.workspaceId).where(dialect.inList('id', p.ids)),
)
