import { redactedTexts } from '@reeve/core'
import { type Queries, redactArchivedVersion, statement } from '@reeve/db'
import type { Row } from './content.ts'

const redactedRecords = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'redacted_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('redacted_at', 'is not', null),
)
const redactedRecordVersions = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .innerJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'record_version.workspace_id')
        .onRef('record.id', '=', 'record_version.record_id'),
    )
    .select(['record_version.record_id', 'record_version.version', 'record_version.snapshot'])
    .where('record_version.workspace_id', '=', p.workspaceId)
    .where('record.redacted_at', 'is not', null),
)

/** The redactions of a workspace, to be applied to rows of an archive. */
export interface Redactions {
  /** Removes the texts of a record that has been redacted since. */
  readonly redactRecord: (row: Row) => Row
  /** Removes the texts of an earlier version of a redacted record. */
  readonly redactVersion: (row: Row) => Row
}

/**
 * Reads the redactions of a workspace. Redactions are permanent: an older archive still contains the texts, and a restore must
 * not bring them back.
 */
export async function loadRedactions(db: Queries, workspaceId: string): Promise<Redactions> {
  const records = await db.all(redactedRecords, { workspaceId })
  const redactedAt = new Map<unknown, number | null>(records.map((row) => [row.id, row.redacted_at]))
  const versions = await db.all(redactedRecordVersions, { workspaceId })
  const snapshots = new Map(versions.map((row) => [`${row.record_id} ${row.version}`, row.snapshot]))
  return {
    redactRecord(row) {
      const at = redactedAt.get(row.id)
      return at === undefined || at === row.redacted_at ? row : { ...row, ...redactedTexts, redacted_at: at }
    },
    redactVersion(row) {
      if (!redactedAt.has(row.record_id)) return row
      const current = snapshots.get(`${row.record_id} ${row.version}`)
      return { ...row, snapshot: redactArchivedVersion(String(row.snapshot), current) }
    },
  }
}
