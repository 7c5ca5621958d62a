import { redactedTexts } from '@reeve/core'
import {
  ERASED_COLUMNS,
  type Queries,
  type RedactionTable,
  redactArchivedVersion,
  removePlayerName,
  statement,
} from '@reeve/db'
import type { ContentTable } from './content-definition.ts'
import type { Row } from './content-statements.ts'

const redactionsOf = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('redaction')
    .select(['record_id', 'redacted_at', 'stored_as'])
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

/** The redactions of these records, also of those that no longer exist, by their IDs. */
export async function findRedactions(db: Queries, workspaceId: string, rows: readonly unknown[]) {
  const ids = [...new Set(rows.map(String))]
  const redactions = ids.length === 0 ? [] : await db.all(redactionsOf, { workspaceId, ids })
  return new Map<unknown, Pick<RedactionTable, 'redacted_at' | 'stored_as'>>(
    redactions.map((row) => [row.record_id, row]),
  )
}

/** Of the rows about players that archives contain besides records, the column with the ID of the row, or of that which it belongs to. */
const erasedBy: { readonly [Table in ContentTable]?: string } = {
  approval: 'record_id',
  assignment: 'record_id',
  appeal: 'id',
  appeal_message: 'appeal_id',
  pinned_note: 'id',
  player_link: 'id',
}

/**
 * Leaves out archived rows about players who have been erased since, and puts the pseudonym into those about players who are stored
 * under one.
 * @param workspaceId the workspace that was archived
 */
export async function leaveOutErased(
  db: Queries,
  workspaceId: string,
  table: ContentTable,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const column = erasedBy[table]
  if (column === undefined) return rows
  const found = await findRedactions(
    db,
    workspaceId,
    rows.map((row) => row[column]),
  )
  return rows.flatMap((row) => {
    const storedAs = found.get(row[column])?.stored_as ?? null
    if (storedAs === '') return []
    return storedAs === null || row.user_id === undefined ? [row] : [{ ...row, user_id: storedAs }]
  })
}

/**
 * Removes the texts of archived records that have been redacted since. Redactions are permanent: an older archive still
 * contains the texts, and a restore must not bring them back. Leaves out the records of erased players.
 * @param workspaceId the workspace that was archived
 */
export async function redactRecords(db: Queries, workspaceId: string, rows: readonly Row[]): Promise<Row[]> {
  const redactions = await findRedactions(
    db,
    workspaceId,
    rows.map((row) => row.id),
  )
  return rows.flatMap((row) => {
    const { redacted_at: at, stored_as: storedAs = null } = redactions.get(row.id) ?? {}
    if (storedAs === '') return []
    if (at === undefined || at === row.redacted_at) return [row]
    const player = storedAs !== null && { ...ERASED_COLUMNS, user_id: storedAs }
    return [{ ...row, ...redactedTexts, redacted_at: at, ...player }]
  })
}

/** Removes the texts from archived versions of records that have been redacted since. */
export async function redactVersions(db: Queries, workspaceId: string, rows: readonly Row[]): Promise<Row[]> {
  const redactions = await findRedactions(
    db,
    workspaceId,
    rows.map((row) => row.record_id),
  )
  if (redactions.size === 0) return [...rows]
  const kept = rows.filter((row) => redactions.get(row.record_id)?.stored_as !== '')
  const versions = await db.all(recordVersions, { workspaceId, ids: [...redactions.keys()].map(String) })
  const current = new Map(versions.map((row) => [`${row.record_id} ${row.version}`, row.snapshot]))
  return kept.map((row) => {
    const redaction = redactions.get(row.record_id)
    if (redaction === undefined) return row
    const sameVersion = current.get(`${row.record_id} ${row.version}`)
    const snapshot = redactArchivedVersion(String(row.snapshot), sameVersion)
    return { ...row, snapshot: redaction.stored_as === null ? snapshot : removePlayerName(snapshot) }
  })
}
