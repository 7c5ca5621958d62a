import { type Actor, AppError, expiresBefore, isSanctionKind, type Ports } from '@reeve/core'
import {
  type ImportOutcome,
  type ImportTable,
  type Queries,
  type RecordTable,
  statement,
  type Transaction,
} from '@reeve/db'
import { assertNoPendingApproval } from '../approvals/store.ts'
import { outranksPlayer } from '../limits/members-of-player.ts'
import { findSanctions, insertRecord, updateRecord } from '../records/record-store.ts'
import { hasExpired, type Sanction } from '../records/sanction.ts'
import { assertWithinStep } from '../templates/override.ts'
import type { ImportedColumns } from './entry.ts'
import type { Lift } from './formats/format.ts'

const bySource = statement<{ workspaceId: string; source: string; sourceId: string }>({ isLookup: true })(
  (sql, p) =>
    sql
      .selectFrom('record')
      .select('case_number')
      .where('workspace_id', '=', p.workspaceId)
      .where('source', '=', p.source)
      .where('source_id', '=', p.sourceId),
)

/** What becomes of an entry, and the current sanctions of its player that it meets. */
interface Decision {
  readonly outcome: Exclude<ImportOutcome, 'unreadable'>
  /** The sanctions in the database: none for one that an earlier entry of a dry run would create. */
  readonly existing: readonly Sanction[]
  /** Why an entry is skipped for another reason than that the player has a sanction; null if there is none. */
  readonly problem: string | null
}

/** What a dry run remembers of the entries before, because it stores nothing: hashes of their ids, and who would have a sanction. */
export interface DryRunMemory {
  readonly sourceIds: Set<number | bigint>
  readonly sanctions: Set<number | bigint>
}

export const createDryRunMemory = (): DryRunMemory => ({ sourceIds: new Set(), sanctions: new Set() })

const remember = (seen: Set<number | bigint>, key: string): boolean => {
  const hash = Bun.hash(key)
  if (seen.has(hash)) return true
  seen.add(hash)
  return false
}

/**
 * Decides what becomes of an entry.
 * @param memory of a dry run; null if it is applied, so that the database has the entries before
 */
export async function decideEntry(
  db: Queries,
  actor: Actor,
  row: ImportTable,
  columns: ImportedColumns,
  now: number,
  memory: DryRunMemory | null,
): Promise<Decision> {
  const key = { workspaceId: row.workspace_id, source: row.source, sourceId: columns.source_id ?? '' }
  const isRepeated = memory !== null && remember(memory.sourceIds, key.sourceId)
  if (isRepeated || (await db.first(bySource, key))) return { outcome: 'known', existing: [], problem: null }
  const { action, user_id, in_force } = columns
  if (in_force === 0 || !isSanctionKind(action)) return { outcome: 'created', existing: [], problem: null }
  if (!(await outranksPlayer(db, actor, user_id))) return skip(PROTECTED)
  const existing = await findSanctions(db, actor, action, user_id)
  const isActive = existing.some((sanction) => !hasExpired(sanction, now))
  const meetsEarlier = memory !== null && remember(memory.sanctions, `${action}:${user_id}`)
  if (!isActive && !meetsEarlier) return { outcome: 'created', existing, problem: null }
  const outcome = OUTCOMES[row.conflicts]
  const problem = outcome === 'merged' ? await findMergeProblem(db, actor, columns, existing, now) : null
  return problem === null ? { outcome, existing, problem } : skip(problem)
}

const skip = (problem: string): Decision => ({ outcome: 'skipped', existing: [], problem })

/** Why the person who imports may not let an active sanction end when the imported one does; null if they may. */
async function findMergeProblem(
  db: Queries,
  actor: Actor,
  columns: ImportedColumns,
  existing: readonly Sanction[],
  now: number,
): Promise<string | null> {
  try {
    for (const sanction of existing) {
      const changes = hasExpired(sanction, now) ? {} : findProlongation(sanction, columns)
      if (changes.duration_seconds === undefined) continue
      await assertNoPendingApproval(db, sanction, now)
      await assertWithinStep(db, actor, sanction, changes.duration_seconds)
    }
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const PROTECTED =
  'the player is a member of the workspace, and only somebody of a higher rank can sanction them'

const OUTCOMES = { skip: 'skipped', merge: 'merged', supersede: 'superseded' } as const

/** The change of an import has no author of its own. */
const change = { ifMatch: null }

/** Ends the sanction of a player that the same source has imposed. */
async function liftImported(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: ImportTable,
  { user_id, occurred_at, actor_username, reason }: ImportedColumns,
  { kind, sourceIdPrefix }: Lift,
): Promise<void> {
  for (const existing of await findSanctions(tx, actor, kind, user_id)) {
    if (existing.source !== row.source || !existing.source_id?.startsWith(sourceIdPrefix)) continue
    if ((existing.occurred_at ?? 0) > (occurred_at ?? 0)) continue
    await updateRecord(tx, ports, actor, { auditAction: 'import', change }, existing, {
      in_force: 0,
      ended: 'revoked',
      revoked_at: occurred_at,
      revoked_by: row.id,
      revoked_by_username: actor_username,
      revoke_reason: reason,
    })
  }
}

/** Stores a record, and changes the active sanction of its player, as it was decided. */
export async function applyEntry(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: ImportTable,
  columns: ImportedColumns,
  { outcome, existing }: Decision,
  lifts: Lift | null,
): Promise<void> {
  if (outcome === 'known' || outcome === 'skipped') return
  const now = ports.now()
  const context = { auditAction: 'import', change }
  for (const sanction of existing) {
    if (outcome === 'merged' && !hasExpired(sanction, now)) await prolong(tx, ports, actor, sanction, columns)
    else
      await updateRecord(tx, ports, actor, context, sanction, {
        in_force: 0,
        ended: hasExpired(sanction, now) ? 'expired' : 'superseded',
      })
  }
  const isMerged = outcome === 'merged'
  await insertRecord(tx, ports, actor, context, {
    ...columns,
    // Merged: what is in force stays the one record, and this one is history.
    ...(isMerged && { in_force: 0, ended: 'superseded' as const }),
    workspace_id: row.workspace_id,
    id: ports.newId(),
    created_at: now,
    updated_at: now,
  })
  if (lifts !== null) await liftImported(tx, ports, actor, row, columns, lifts)
}

/** Lets an active sanction end when the imported one does, if that is later. */
async function prolong(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  existing: Sanction,
  columns: ImportedColumns,
): Promise<void> {
  const changes: Partial<RecordTable> = {
    ...findProlongation(existing, columns),
    ...(existing.user_username === null && { user_username: columns.user_username }),
  }
  if (Object.keys(changes).length > 0)
    await updateRecord(tx, ports, actor, { auditAction: 'import', change }, existing, changes)
}

/** The expiry of an active sanction that is merged with an imported one; nothing if it does not change. */
function findProlongation(
  existing: Sanction,
  { expires_at }: ImportedColumns,
): Partial<Pick<RecordTable, 'expires_at' | 'duration_seconds'>> {
  if (!expiresBefore(existing.expires_at, expires_at)) return {}
  const duration_seconds =
    expires_at === null ? null : Math.max(1, Math.round((expires_at - existing.created_at) / 1000))
  return { expires_at, duration_seconds }
}
