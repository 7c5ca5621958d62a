import { appendAuditEntry, ERASE_RECORD, PSEUDONYMISE_RECORD, redactAuditEntries } from '@reeve/audit'
import { parseActor } from '@reeve/auth'
import { type Actor, type Ports, redactedTexts } from '@reeve/core'
import {
  type Database,
  ERASED_COLUMNS,
  type Queries,
  type RedactionTable,
  redactArchivedVersion,
  removePlayerName,
  statement,
  type Transaction,
  upsertAll,
  type WorkspaceJobTable,
} from '@reeve/db'
import type { ContentTable } from './content-definition.ts'
import type { Row } from './content-statements.ts'
import type { ErasedPlayer, FindErased } from './erased-players.ts'

const redactionsByRecord = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
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
const upsertRedaction = statement<RedactionTable>()((sql, p) =>
  upsertAll(sql, 'redaction', p, ['workspace_id', 'record_id']),
)

/** The redactions of these records, also of those that no longer exist, by their IDs. */
export async function findRedactions(db: Queries, workspaceId: string, recordIds: readonly string[]) {
  const ids = [...new Set(recordIds)]
  const redactions = ids.length === 0 ? [] : await db.all(redactionsByRecord, { workspaceId, ids })
  return new Map<unknown, Pick<RedactionTable, 'redacted_at' | 'stored_as'>>(
    redactions.map((row) => [row.record_id, row]),
  )
}

/** Of the rows about players that archives contain besides records, the columns with the IDs of the row and of what it belongs to. */
const idColumns: { readonly [Table in ContentTable]?: readonly string[] } = {
  approval: ['record_id'],
  assignment: ['record_id'],
  appeal: ['id', 'record_id'],
  pinned_note: ['id', 'record_id'],
  player_link: ['id'],
}

/** The tables whose rows stay if a player is stored under a pseudonym. */
const keptUnderPseudonym: ReadonlySet<ContentTable> = new Set(['approval', 'assignment'])

/** The columns with the player of archived rows of which nothing stays, whatever the kind of the erasure. */
const playerColumns: { readonly [Table in ContentTable]?: readonly string[] } = {
  member_player: ['user_id'],
  pinned_note: ['user_id'],
  player_link: ['first_user_id', 'second_user_id'],
}

/**
 * Leaves out archived rows about players who have been erased since, and puts the pseudonym into those about players who are stored
 * under one. The records of the archive must have been redacted before.
 * @param workspaceId the workspace that was archived
 */
export async function leaveOutErased(
  db: Queries,
  workspaceId: string,
  table: ContentTable,
  archived: readonly Row[],
  findErased: FindErased,
): Promise<readonly Row[]> {
  const players = playerColumns[table] ?? []
  const rows = archived.filter((row) => !players.some((column) => findErased(String(row[column]))))
  const columns = idColumns[table]
  if (columns === undefined) return rows
  const listIds = (row: Row) =>
    columns
      .map((column) => row[column])
      .filter((id) => id !== null)
      .map(String)
  const found = await findRedactions(db, workspaceId, rows.flatMap(listIds))
  return rows.flatMap((row) => {
    const names = listIds(row).map((id) => found.get(id)?.stored_as ?? null)
    const storedAs = names.find((name) => name !== null)
    if (storedAs === undefined) return [row]
    if (storedAs === '' || !keptUnderPseudonym.has(table)) return []
    return [row.user_id === undefined ? row : { ...row, user_id: storedAs }]
  })
}

interface RedactionContext {
  readonly db: Database
  readonly ports: Ports
  /** The job of the restore, which the audit log names. */
  readonly job: Pick<WorkspaceJobTable, 'actor'>
}

/**
 * Removes the texts of archived records that have been redacted since, leaves out those of players who have been erased since, and
 * erases the audit entries of the latter that the erasure did not find. Redactions are permanent: an older archive still contains the
 * texts, and a restore must not bring them back. A record that had been deleted before its player was erased gets a redaction, too, so
 * that what belongs to it is left out.
 * @param workspaceId the workspace that was archived
 */
export async function redactRecords(
  { db, ports, job }: RedactionContext,
  workspaceId: string,
  rows: readonly Row[],
  findErased: FindErased,
): Promise<Row[]> {
  const ids = rows.map((row) => String(row.id))
  const known = await findRedactions(db.read, workspaceId, ids)
  const found = rows.flatMap(({ id, user_id }) => {
    const player = findErased(String(user_id))
    const storedAs = known.get(id)?.stored_as ?? null
    const isKnown = storedAs === '' || (storedAs !== null && player?.storedAs !== '')
    return player === undefined || isKnown ? [] : [{ ...player, id: String(id) }]
  })
  if (found.length > 0)
    await db.write(async (tx) => {
      for (const record of found)
        await eraseDeletedRecord(tx, ports, parseActor(job), { ...record, workspaceId })
    })
  const redactions = found.length > 0 ? await findRedactions(db.read, workspaceId, ids) : known
  return rows.flatMap((archived) => {
    const row = removeErasedPeople(archived, findErased)
    const { redacted_at: at, stored_as: storedAs = null } = redactions.get(row.id) ?? {}
    if (storedAs === '') return []
    if (at === undefined || (at === row.redacted_at && storedAs === null)) return [row]
    const player = storedAs !== null && { ...ERASED_COLUMNS, user_id: storedAs }
    return [{ ...row, ...redactedTexts, redacted_at: at, ...player }]
  })
}

/** Does with the audit entries of a record what the erasure would have done, had the record not been deleted before. */
async function eraseDeletedRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  {
    workspaceId,
    id,
    erasedAt,
    storedAs,
  }: ErasedPlayer & { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  const freedBytes = await redactAuditEntries(tx, workspaceId, id)
  await appendAuditEntry(tx, ports, actor, {
    action: storedAs === '' ? ERASE_RECORD : PSEUDONYMISE_RECORD,
    target: { kind: 'record', id },
    chain: workspaceId,
    storedBytes: -freedBytes,
  })
  await tx.run(upsertRedaction, {
    workspace_id: workspaceId,
    record_id: id,
    redacted_at: erasedAt,
    stored_as: storedAs,
  })
}

/** The columns with the ID and the name of a person whom an API key acted for. */
const PEOPLE = [
  ['actor_platform_user_id', 'actor_username'],
  ['revoked_by_platform_user_id', 'revoked_by_username'],
] as const

/** A record, or the values of a version, without the people whom an API key acted for, if they are players who have been erased. */
function removeErasedPeople<Values extends Row>(values: Values, findErased: FindErased): Values {
  const erased = PEOPLE.filter(([id]) => {
    const userId = values[id]
    return typeof userId === 'string' && findErased(userId)
  })
  return erased.length === 0
    ? values
    : { ...values, ...Object.fromEntries(erased.flat().map((column) => [column, null])) }
}

/**
 * Removes the texts from archived versions of records that have been redacted since, and the people whom an API key acted for if they
 * have been erased.
 */
export async function redactVersions(
  db: Queries,
  workspaceId: string,
  archived: readonly Row[],
  findErased: FindErased,
): Promise<Row[]> {
  const rows = archived.map((row) => removeErasedPeopleFromVersion(row, findErased))
  const redactions = await findRedactions(
    db,
    workspaceId,
    rows.map((row) => String(row.record_id)),
  )
  if (redactions.size === 0) return rows
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

function removeErasedPeopleFromVersion(row: Row, findErased: FindErased): Row {
  const values = JSON.parse(String(row.snapshot)) as Row
  const kept = removeErasedPeople(values, findErased)
  return kept === values ? row : { ...row, snapshot: JSON.stringify(kept) }
}
