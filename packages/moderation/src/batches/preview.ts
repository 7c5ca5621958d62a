import { findLastSequence } from '@reeve/audit'
import { type Actor, MAX_BATCH_TARGETS, type Ports } from '@reeve/core'
import type { BatchTable, Database, RecentBanTable } from '@reeve/db'
import { insertRecentBans, listRecentBans } from '../limits/recent-bans.ts'
import { applyItem, type ItemOutcome, type ItemTarget, parseItemBatch } from './apply-item.ts'
import { type BeyondUndo, findBeyondUndo } from './beyond-undo.ts'
import {
  assertHasChanges,
  draftBatch,
  findUndoScope,
  requireActionPermission,
  type UndoScope,
} from './create.ts'
import { describePlayers } from './describe-players.ts'
import { listNextItems } from './items.ts'
import { type BatchPreview, presentResult, type ResultRecord, type TargetResult } from './model.ts'
import { type BatchCommand, replacesSanctions } from './parse-request.ts'
import { describeFailure, findResultRecords, toRecordId } from './results.ts'

/** Targets of one transaction, which is rolled back: about 30 ms on SQLite, in which other writes wait. */
const TARGETS_PER_TRANSACTION = 50

interface Preview {
  readonly item: ItemTarget
  readonly outcome: ItemOutcome
  /** The record as it would be. */
  readonly planned?: ResultRecord | undefined
}

/** What a group of targets leads to. */
interface Group {
  readonly previews: readonly Preview[]
  /** The bans that count against the number per hour after it. */
  readonly recentBans: readonly RecentBanTable[]
}

/** Ends a transaction without a commit. */
class PreviewComplete extends Error {
  readonly group: Group
  constructor(group: Group) {
    super('the transaction of a preview is rolled back')
    this.group = group
  }
}

/**
 * Finds out what a batch would do, by doing it in transactions that are rolled back: every check of the single actions applies.
 * Nothing is changed. Targets are evaluated in groups, each as if the others had not been, except for the bans per hour.
 * @throws AppError as the batch
 */
export async function previewBatch(
  db: Database,
  ports: Ports,
  actor: Actor,
  command: Exclude<BatchCommand, { kind: 'cancel' }>,
): Promise<BatchPreview> {
  requireActionPermission(actor, command)
  const sequence = await findLastSequence(db.read, actor.workspaceId)
  const scope = await findUndoScope(db.read, actor, command)
  const beyond = command.kind === 'undo' ? await findBeyond(db, actor, command, scope) : NOTHING
  // Who changed nothing but other things, or did it with an API key, has a preview that says so.
  if (beyond.otherActors.length === 0 && !beyond.otherChanges?.length) assertHasChanges(scope)
  const batch = await draftBatch(db.read, ports, actor, command, scope)
  const targets =
    command.kind === 'actions'
      ? command.targets.map((target) => ({ target, reverses_from: null, reverses_to: null }))
      : await listTargets(db, batch)
  const previews: Preview[] = []
  let recentBans: readonly RecentBanTable[] = []
  for (let start = 0; start < targets.length; start += TARGETS_PER_TRANSACTION) {
    const slice = targets.slice(start, start + TARGETS_PER_TRANSACTION)
    const group = await previewTargets(db, ports, actor, batch, slice, recentBans)
    recentBans = group.recentBans
    previews.push(...group.previews)
  }
  const counts = scope?.actions ?? countActions(batch, previews)
  return {
    preview: {
      sequence:
        command.kind === 'actions' && replacesSanctions(command.input.action) ? String(sequence) : null,
      ...(await presentPreview(db, ports, actor, batch, previews, counts)),
      ...presentBeyond(beyond),
    },
  }
}

/** How often a batch of actions does which one: a ladder decides it for each player. */
function countActions(batch: BatchTable, previews: readonly Preview[]): ReadonlyMap<string, number> {
  if (batch.action !== null) return new Map([[batch.action, batch.total]])
  const counts = new Map<string, number>()
  if (batch.kind !== 'actions') return counts
  for (const { planned } of previews)
    if (planned) counts.set(planned.action, (counts.get(planned.action) ?? 0) + 1)
  return counts
}

const NOTHING: BeyondUndo = { otherChanges: null, otherActors: [] }

const findBeyond = (
  db: Database,
  actor: Actor,
  { actorUserId: actorId, since }: Extract<BatchCommand, { kind: 'undo' }>,
  scope: UndoScope | null,
): Promise<BeyondUndo> =>
  findBeyondUndo(
    db.read,
    actor,
    { workspaceId: actor.workspaceId, actorId, since },
    scope?.untilSequence ?? 0,
  )

const presentBeyond = ({ otherChanges, otherActors }: BeyondUndo) => ({
  otherChanges: otherChanges?.map(({ kind, count }) => ({ kind, count: String(count) })) ?? null,
  otherActors: otherActors.map(({ id, name, count }) => ({
    actorUserId: id,
    actorUsername: name,
    count: String(count),
  })),
})

/** The first targets of an undo or a reversal. */
async function listTargets(db: Database, batch: BatchTable): Promise<ItemTarget[]> {
  const targets = new Map<string, ItemTarget>()
  for (let position = batch.position; position !== null && targets.size < MAX_BATCH_TARGETS; ) {
    const part: Awaited<ReturnType<typeof listNextItems>> = await listNextItems(db.read, batch, position)
    for (const item of part.items) if (!targets.has(item.target)) targets.set(item.target, item)
    position = part.next
  }
  return [...targets.values()].slice(0, MAX_BATCH_TARGETS)
}

async function previewTargets(
  db: Database,
  ports: Ports,
  actor: Actor,
  batch: BatchTable,
  targets: readonly ItemTarget[],
  recentBans: readonly RecentBanTable[],
): Promise<Group> {
  const itemBatch = parseItemBatch(batch)
  const now = ports.now()
  try {
    return await db.write(async (tx) => {
      await insertRecentBans(tx, actor, recentBans, now)
      const previews: Preview[] = []
      for (const item of targets) {
        try {
          previews.push({ item, outcome: await applyItem(tx, ports, actor, itemBatch, item) })
        } catch (error) {
          previews.push({ item, outcome: describeFailure(error) })
        }
      }
      const records = await findResultRecords(tx, batch.workspace_id, previews.map(toResultKey))
      throw new PreviewComplete({
        previews: previews.map((preview) => ({
          ...preview,
          planned: records.get(toRecordId(toResultKey(preview))),
        })),
        recentBans: await listRecentBans(tx, actor, now),
      })
    })
  } catch (error) {
    if (error instanceof PreviewComplete) return error.group
    throw error
  }
}

const toResultKey = ({ item: { target }, outcome: { record_id } }: Preview) => ({ target, record_id })

async function presentPreview(
  db: Database,
  ports: Ports,
  actor: Actor,
  batch: BatchTable,
  previews: readonly Preview[],
  counts: ReadonlyMap<string, number>,
): Promise<Omit<BatchPreview['preview'], 'sequence' | keyof BeyondUndo>> {
  // A record that would be created does not exist, so it is not shown.
  const records = await findResultRecords(db.read, batch.workspace_id, previews.map(toResultKey))
  const results = previews.map((preview): TargetResult => {
    const { item, outcome, planned } = preview
    const record = records.get(toRecordId(toResultKey(preview)))
    return presentResult({ target: item.target, ...outcome, record_id: null }, record, planned)
  })
  const countState = (state: TargetResult['state']) =>
    String(results.filter((result) => result.state === state).length)
  return {
    total: String(batch.total),
    actions: [...counts]
      .toSorted(([, count], [, next]) => next - count)
      .map(([action, count]) => ({ action, count: String(count) })),
    succeeded: countState('succeeded'),
    unchanged: countState('unchanged'),
    failed: countState('failed'),
    results: await describePlayers(db.read, actor, ports.now(), results),
  }
}
