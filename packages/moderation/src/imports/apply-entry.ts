import { type Actor, AppError, expiresBefore, isSanctionKind, type Ports } from '@reeve/core'
import type { ImportOutcome, ImportTable, RecordTable, Transaction } from '@reeve/db'
import { assertNoPendingApproval, supersedeApproval } from '../approvals/store.ts'
import { outranksPlayer } from '../limits/members-of-player.ts'
import { findSanctions, insertRecord, updateRecord } from '../records/record-store.ts'
import { hasExpired, type Sanction } from '../records/sanction.ts'
import { assertWithinStep } from '../templates/override.ts'
import type { ImportedColumns } from './entry.ts'
import type { ExpectedLifts } from './expected-lifts.ts'
import type { Lift } from './formats/format.ts'
import type { ImportContext } from './importer.ts'
import {
  applyLift,
  decideLift,
  findImported,
  findLifted,
  type LiftColumns,
  staysInForce,
  toLiftColumns,
  toNoteLift,
} from './lifts.ts'

/** What becomes of an entry, and the current sanctions of its player that it meets. */
interface Decision {
  readonly outcome: Exclude<ImportOutcome, 'unreadable'>
  /** The records of earlier imports that end with the entry, and how. */
  readonly lifted: readonly (readonly [RecordTable, LiftColumns])[]
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
 * @param expected what the whole file ends: a sanction that is lifted further down is not in the way of one that comes before
 */
export async function decideEntry(
  context: ImportContext,
  columns: ImportedColumns,
  memory: DryRunMemory | null,
  expected: ExpectedLifts,
): Promise<Decision> {
  const { db, actor, row, now } = context
  const isRepeated = memory !== null && remember(memory.sourceIds, columns.source_id ?? '')
  const imported = await findImported(db, row, columns)
  if (imported) return decideImported(context, imported, columns, expected)
  if (isRepeated) return decide('known')
  const { action, user_id, in_force } = columns
  if (in_force === 0 || !isSanctionKind(action)) return decide('created')
  if (!(await outranksPlayer(db, actor, user_id))) return skip(PROTECTED)
  const existing: Sanction[] = []
  const lifted: [RecordTable, LiftColumns][] = []
  for (const sanction of await findSanctions(db, actor, action, user_id)) {
    const lift = expected.get(sanction.id)
    if (lift && !(await staysInForce(context, sanction))) lifted.push([sanction, lift.columns])
    else existing.push(sanction)
  }
  const isActive = existing.some((sanction) => !hasExpired(sanction, now))
  const meetsEarlier = memory !== null && remember(memory.sanctions, `${action}:${user_id}`)
  if (!isActive && !meetsEarlier) return decide('created', { existing, lifted })
  const outcome = OUTCOMES[row.conflicts]
  const problem = outcome === 'merged' ? await findMergeProblem(context, columns, existing) : null
  if (problem !== null) return skip(problem)
  return outcome === 'skipped' ? decide(outcome) : decide(outcome, { existing, lifted })
}

/** Decides what becomes of an entry that was imported before: it can only end what it has brought. */
async function decideImported(
  context: ImportContext,
  imported: RecordTable,
  columns: ImportedColumns,
  expected: ExpectedLifts,
): Promise<Decision> {
  const lift = await decideLift(context, imported, columns, expected)
  if (lift === 'unchanged') return decide('known')
  if (lift === 'kept') return skip(KEPT_HERE)
  const endsLater = expected.get(imported.id)?.isFollowed === true
  const lifted = imported.ended !== null || endsLater ? [] : [[imported, toLiftColumns(columns)] as const]
  return decide('lifted', { lifted })
}

const decide = (outcome: Decision['outcome'], changes: Partial<Decision> = {}): Decision => ({
  outcome,
  lifted: [],
  existing: [],
  problem: null,
  ...changes,
})

const skip = (problem: string): Decision => decide('skipped', { problem })

/** Why the person who imports may not let an active sanction end when the imported one does; null if they may. */
async function findMergeProblem(
  { db, actor, now }: ImportContext,
  columns: ImportedColumns,
  existing: readonly Sanction[],
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

const KEPT_HERE = 'it has ended there, but its end was changed here since, or another was merged with it'

const OUTCOMES = { skip: 'skipped', merge: 'merged', supersede: 'superseded' } as const

/** The change of an import has no author of its own. */
const change = { ifMatch: null }

/** Stores a record, and changes the active sanction of its player, as it was decided. */
export async function applyEntry(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: ImportTable,
  columns: ImportedColumns,
  { outcome, lifted, existing }: Decision,
  lifts: Lift | null,
): Promise<void> {
  for (const [record, lift] of lifted) await applyLift(tx, ports, actor, record, lift)
  if (outcome === 'known' || outcome === 'skipped' || outcome === 'lifted') return
  const now = ports.now()
  const context = { auditAction: 'import', change }
  for (const sanction of existing) {
    if (outcome === 'merged' && !hasExpired(sanction, now)) {
      await prolong(tx, ports, actor, sanction, columns)
      continue
    }
    await supersedeApproval(tx, sanction, now, actor.id)
    const [ended, auditAction] = hasExpired(sanction, now)
      ? (['expired', 'expire'] as const)
      : (['superseded', 'import'] as const)
    await updateRecord(tx, ports, actor, { auditAction, change }, sanction, { in_force: 0, ended })
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
  if (lifts === null) return
  for (const record of await findLifted({ db: tx, actor, row, now }, columns, lifts))
    await applyLift(tx, ports, actor, record, toNoteLift(row, columns))
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
