import { redactedTexts } from '@reeve/core'
import { type Queries, redactArchivedVersion, statement } from '@reeve/db'
import type { Row } from './content.ts'

const redactionsOf = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('redaction')
    .select(['record_id', 'redacted_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids)),
)
const recordVersions = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record_version')
    .select(['record_id', 'version', 'snapshot'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids)),
)

/** When each of these records was redacted, also those that no longer exist, by their IDs. */
async function findRedactions(db: Queries, workspaceId: string, rows: readonly unknown[]) {
  const ids = [...new Set(rows.map(String))]
  const redactions = ids.length === 0 ? [] : await db.all(redactionsOf, { workspaceId, ids })
  return new Map<unknown, number>(redactions.map((row) => [row.record_id, row.redacted_at]))
}

/**
 * Removes the texts of archived records that have been redacted since. Redactions are permanent: an older archive still
 * contains the texts, and a restore must not bring them back.
 * @param workspaceId the workspace that was archived
 */
export async function redactRecords(db: Queries, workspaceId: string, rows: readonly Row[]): Promise<Row[]> {
  const redactedAt = await findRedactions(
    db,
    workspaceId,
    rows.map((row) => row.id),
  )
  return rows.map((row) => {
    const at = redactedAt.get(row.id)
    return at === undefined || at === row.redacted_at ? row : { ...row, ...redactedTexts, redacted_at: at }
  })
}

/** Removes the texts from archived versions of records that have been redacted since. */
export async function redactVersions(db: Queries, workspaceId: string, rows: readonly Row[]): Promise<Row[]> {
  const redactedAt = await findRedactions(
    db,
    workspaceId,
    rows.map((row) => row.record_id),
  )
  if (redactedAt.size === 0) return [...rows]
  const versions = await db.all(recordVersions, { workspaceId, ids: [...redactedAt.keys()].map(String) })
  const current = new Map(versions.map((row) => [`${row.record_id} ${row.version}`, row.snapshot]))
  return rows.map((row) => {
    if (!redactedAt.has(row.record_id)) return row
    const sameVersion = current.get(`${row.record_id} ${row.version}`)
    return { ...row, snapshot: redactArchivedVersion(String(row.snapshot), sameVersion) }
  })
}
