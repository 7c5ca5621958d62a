import { redactedTexts } from '@reeve/core'
import { type Queries, redactArchivedVersion, statement } from '@reeve/db'
import type { Row } from './content.ts'

const redactedRecords = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select(['id', 'redacted_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids))
    .where('redacted_at', 'is not', null),
)
const recordVersions = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record_version')
    .select(['record_id', 'version', 'snapshot'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('record_id', p.ids)),
)

const findRedactedRecords = async (db: Queries, workspaceId: string, ids: ReadonlySet<string>) =>
  ids.size === 0 ? [] : await db.all(redactedRecords, { workspaceId, ids: [...ids] })

/**
 * Removes the texts of archived records that have been redacted since. Redactions are permanent: an older archive still
 * contains the texts, and a restore must not bring them back.
 * @param workspaceId the workspace that was archived
 */
export async function redactRecords(db: Queries, workspaceId: string, rows: readonly Row[]): Promise<Row[]> {
  const redacted = await findRedactedRecords(db, workspaceId, new Set(rows.map((row) => String(row.id))))
  const redactedAt = new Map<unknown, number | null>(redacted.map((row) => [row.id, row.redacted_at]))
  return rows.map((row) => {
    const at = redactedAt.get(row.id)
    return at === undefined || at === row.redacted_at ? row : { ...row, ...redactedTexts, redacted_at: at }
  })
}

/** Removes the texts from archived versions of records that have been redacted since. */
export async function redactVersions(db: Queries, workspaceId: string, rows: readonly Row[]): Promise<Row[]> {
  const recordIds = new Set(rows.map((row) => String(row.record_id)))
  const redacted = await findRedactedRecords(db, workspaceId, recordIds)
  if (redacted.length === 0) return [...rows]
  const redactedIds = new Set<unknown>(redacted.map(({ id }) => id))
  const versions = await db.all(recordVersions, { workspaceId, ids: redacted.map(({ id }) => id) })
  const current = new Map(versions.map((row) => [`${row.record_id} ${row.version}`, row.snapshot]))
  return rows.map((row) => {
    if (!redactedIds.has(row.record_id)) return row
    const sameVersion = current.get(`${row.record_id} ${row.version}`)
    return { ...row, snapshot: redactArchivedVersion(String(row.snapshot), sameVersion) }
  })
}
