import { redactedTexts } from '@reeve/core'
import { type Queries, redactVersion, statement } from '@reeve/db'
import type { Row } from './content.ts'

const redactedRecords = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'redacted_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('redacted_at', 'is not', null),
)
/** The redactions of a workspace, to be applied to rows of an archive. */
export interface Redactions {
  /** Removes the texts of a record that has been redacted since. */
  readonly redactRecord: (row: Row) => Row
  /** Removes the texts of an earlier version of such a record, which follows it in the archive. */
  readonly redactVersion: (row: Row) => Row
}

/**
 * Reads the redactions of a workspace. Redactions are permanent: an older archive still contains the texts, and a restore must
 * not bring them back.
 */
export async function loadRedactions(db: Queries, workspaceId: string): Promise<Redactions> {
  const records = await db.all(redactedRecords, { workspaceId })
  const redactedAt = new Map<unknown, number | null>(records.map((row) => [row.id, row.redacted_at]))
  /** The records that were redacted already when the archive was created, and so were their versions. */
  const redactedInArchive = new Set<unknown>()
  /** The record in the archive, for those that were redacted later. */
  const archived = new Map<unknown, Row>()
  return {
    redactRecord(row) {
      const at = redactedAt.get(row.id)
      if (at === undefined) return row
      if (at === row.redacted_at) {
        redactedInArchive.add(row.id)
        return row
      }
      archived.set(row.id, { version: row.version, redacted_at: row.redacted_at })
      return { ...row, ...redactedTexts, redacted_at: at }
    },
    redactVersion(row) {
      const id = row.record_id
      if (!redactedAt.has(id) || redactedInArchive.has(id)) return row
      const record = archived.get(id)
      // Versions have what the next one replaced. The record is the next one of the newest, and has another time now.
      const isNewest = record !== undefined && Number(row.version) === Number(record.version) - 1
      const replaced = isNewest ? { redacted_at: record.redacted_at as number | null } : {}
      return { ...row, snapshot: redactVersion(String(row.snapshot), replaced) }
    },
  }
}
