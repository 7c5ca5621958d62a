import type { Actor, Ports } from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import {
  type ImportTable,
  type Queries,
  type RecordTable,
  sqlLiteral,
  statement,
  type Transaction,
} from '@reeve/db'
import { supersedeApproval } from '../approvals/store.ts'
import { findSanctions, updateRecord } from '../records/record-store.ts'
import { hasExpired } from '../records/sanction.ts'
import { hasChangedEnd } from '../records/versions.ts'
import type { ImportedColumns } from './entry.ts'
import type { Lift } from './formats/format.ts'
import { listsReplaced } from './formats/index.ts'
import type { ImportContext } from './importer.ts'

/** What a newer file of a source says about the end of records that an earlier one has brought. */

const bySource = statement<{ workspaceId: string; source: string; sourceId: string }>({ isLookup: true })(
  (sql, p) =>
    sql
      .selectFrom('record')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('source', '=', p.source)
      .where('source_id', '=', p.sourceId),
)
/** A sanction of an earlier import that is history because it was merged with another one, and has not expired. */
const mergedLater = statement<{
  workspaceId: string
  userIds: readonly string[]
  action: RecordTable['action']
  after: number
  source: string
  /** For those of the same source. */
  since: number
  importId: string
  now: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
    .select('case_number')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds))
    .where('case_number', '>', p.after)
    .where('action', '=', p.action)
    .where('ended', '=', sqlLiteral('superseded'))
    .where((eb) => eb.or([eb('source', '!=', p.source), eb('occurred_at', '>=', p.since)]))
    .where('actor_id', '!=', p.importId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
    .limit(1),
)

/** How a record ends that was lifted, revoked or replaced in the other tool. */
export type LiftColumns = Pick<
  RecordTable,
  'ended' | 'revoked_at' | 'revoked_by' | 'revoked_by_username' | 'revoke_reason'
>

/** The record of an entry that was imported before. */
export const findImported = (
  db: Queries,
  { workspace_id: workspaceId, source }: ImportTable,
  { source_id }: Pick<ImportedColumns, 'source_id'>,
): Promise<RecordTable | undefined> => db.first(bySource, { workspaceId, source, sourceId: source_id ?? '' })

/**
 * Whether a sanction of an earlier import stays in force although it has ended in the other tool: its end was changed here since, so somebody has
 * decided about it, or another sanction was merged with it. What the import itself has stored does not count: it can be what was replaced in the other tool.
 */
export async function staysInForce(
  { db, actor, row, now }: ImportContext,
  record: RecordTable,
): Promise<boolean> {
  if (await hasChangedEnd(db, record)) return true
  const { workspace_id: workspaceId, action, user_id, case_number: after } = record
  const source = record.source ?? ''
  // In the same file, an earlier one can be what this one has replaced there.
  const since = listsReplaced(row.format) ? (record.occurred_at ?? 0) : 0
  const userIds = listSanctionKeys([user_id], actor).keys
  const merged = { workspaceId, userIds, action, after, source, since, importId: row.id, now }
  return (await db.first(mergedLater, merged)) !== undefined
}

/**
 * Whether a record ends because its entry, which was imported before, says by now that it was lifted, revoked or replaced. It is `kept` if
 * it stays in force nevertheless.
 * @param expected what the file ends, as far as that is known
 */
export async function decideLift(
  context: ImportContext,
  imported: RecordTable,
  columns: ImportedColumns,
  expected: ReadonlyMap<string, { readonly columns: LiftColumns }>,
): Promise<'unchanged' | 'lifted' | 'kept'> {
  const { actor, row, now } = context
  const hasEndedThere = columns.ended === 'revoked' || columns.ended === 'superseded'
  if (!hasEndedThere || imported.actor_id === row.id) return 'unchanged'
  // Servers whose sources have the same name can have the same ids.
  const isSame =
    imported.action === columns.action &&
    listSanctionKeys([columns.user_id], actor).keys.includes(imported.user_id)
  if (!isSame) return 'unchanged'
  // An entry before, which lifts it or takes its place, has ended it already.
  if (imported.revoked_by === row.id) return 'lifted'
  if (imported.ended === 'superseded' && expected.get(imported.id)?.columns.ended === 'superseded')
    return 'lifted'
  if (imported.ended !== null || hasExpired(imported, now)) return 'unchanged'
  return (await staysInForce(context, imported)) ? 'kept' : 'lifted'
}

/** How an entry that was lifted, revoked or replaced has ended. */
export const toLiftColumns = ({
  ended,
  revoked_at,
  revoked_by,
  revoked_by_username,
  revoke_reason,
}: ImportedColumns): LiftColumns => ({ ended, revoked_at, revoked_by, revoked_by_username, revoke_reason })

/** The end that an entry is which lifts others. */
export const toNoteLift = (
  { id }: ImportTable,
  { occurred_at, actor_username, reason }: ImportedColumns,
): LiftColumns => ({
  ended: 'revoked',
  revoked_at: occurred_at,
  revoked_by: id,
  revoked_by_username: actor_username,
  revoke_reason: reason,
})

/** The sanctions of a player that an entry lifts: those that the same source has imposed before, unless they stay in force. */
export async function findLifted(
  context: ImportContext,
  { user_id, occurred_at }: ImportedColumns,
  { kind, sourceIdPrefix }: Lift,
): Promise<RecordTable[]> {
  const { db, actor, row } = context
  const lifted: RecordTable[] = []
  for (const sanction of await findSanctions(db, actor, kind, user_id)) {
    if (sanction.source !== row.source || !sanction.source_id?.startsWith(sourceIdPrefix)) continue
    if ((sanction.occurred_at ?? 0) > (occurred_at ?? 0)) continue
    if (!(await staysInForce(context, sanction))) lifted.push(sanction)
  }
  return lifted
}

/** Ends a record of an earlier import as the other tool has ended it. */
export async function applyLift(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  record: RecordTable,
  columns: LiftColumns,
): Promise<void> {
  await supersedeApproval(tx, record, ports.now(), actor.id)
  await updateRecord(tx, ports, actor, { auditAction: 'import', change: { ifMatch: null } }, record, {
    ...columns,
    in_force: 0,
  })
}
