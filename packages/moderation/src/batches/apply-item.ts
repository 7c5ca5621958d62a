import { findLastSequence } from '@reeve/audit'
import { type Actor, type Ports, requirePermission } from '@reeve/core'
import {
  type BatchItemTable,
  type BatchTable,
  observeAnnouncements,
  type Queries,
  statement,
  type Transaction,
} from '@reeve/db'
import { getActionRule } from '../records/actions.ts'
import { applyChange } from '../records/apply.ts'
import type { ChangeContext } from '../records/parse-change.ts'
import { type ActionInput, type ReversalInput, toChange } from './parse-request.ts'
import type { ChangeSelection } from './record-history.ts'
import { revertRecord } from './revert-record.ts'

/** The records that changes are about, by their sequences in the audit log. */
const changedRecords = statement<{ workspaceId: string; from: number; to: number; targetKind: string }>()(
  (sql, p) =>
    sql
      .selectFrom('audit')
      .select('target_id')
      .where('workspace_id', '=', p.workspaceId)
      .where('sequence', '>=', p.from)
      .where('sequence', '<=', p.to)
      .where('target_kind', '=', p.targetKind)
      .orderBy('sequence', 'desc'),
)
/** The part of a batch that its items need. */
export type ItemBatch = Pick<
  BatchTable,
  'id' | 'workspace_id' | 'kind' | 'target_actor_id' | 'since' | 'until_sequence'
> & {
  readonly input: ActionInput | ReversalInput
}

export type ItemTarget = Pick<BatchItemTable, 'target' | 'reverses_from' | 'reverses_to'>

/** What became of an item. */
export type ItemOutcome = Pick<
  BatchItemTable,
  'state' | 'record_id' | 'from_sequence' | 'to_sequence' | 'code' | 'message'
>

/** Reads the stored fields of a batch that has not ended. */
export const parseItemBatch = (row: BatchTable): ItemBatch => ({
  ...row,
  input: JSON.parse(String(row.input)),
})

/**
 * Does what a batch does to one target, through the functions of the single actions.
 * @throws AppError as the single action, if it is refused
 */
export async function applyItem(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  batch: ItemBatch,
  item: ItemTarget,
): Promise<ItemOutcome> {
  let isChanged = false
  const observed = observeAnnouncements(tx, (change) => {
    if (change.kind === 'record') isChanged = true
  })
  // The transaction holds the lock of the workspace, so that all entries in between are its own: those of appeals too.
  const before = await findLastSequence(tx, actor.workspaceId)
  const recordId = await applyToTarget(observed, ports, actor, batch, item)
  return {
    state: isChanged ? 'succeeded' : 'unchanged',
    record_id: recordId,
    from_sequence: isChanged ? before + 1 : null,
    to_sequence: isChanged ? await findLastSequence(tx, actor.workspaceId) : null,
    code: null,
    message: null,
  }
}

/** @returns the record that was created or changed */
async function applyToTarget(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  batch: ItemBatch,
  item: ItemTarget,
): Promise<string | null> {
  const batchContext = { batchId: batch.id }
  if (isActionInput(batch.input)) {
    const change = toChange(actor, batch.input, item.target)
    // Without an action, the permission is that of the step that the ladder decides.
    if (change.action !== undefined) requirePermission(actor, getActionRule(change.action).permission)
    const seen = batch.until_sequence === null ? {} : { seenSequence: batch.until_sequence }
    return (await applyChange(tx, ports, actor, { ...change, ...batchContext, ...seen })).record.id
  }
  const context: ChangeContext = { ...batchContext, ifMatch: null }
  const { reason } = batch.input
  const revert = (id: string, selection: ChangeSelection) =>
    revertRecord(tx, ports, actor, { id, selection, reason, context })
  if (batch.kind === 'undo') {
    await revert(item.target, selectActor(String(batch.target_actor_id), batch.since ?? 0))
    return item.target
  }
  const from = item.reverses_from ?? 0
  const to = item.reverses_to ?? 0
  const ids = await listChangedRecords(tx, actor.workspaceId, from, to)
  // The newest change first: a ban ends before the one that it replaced comes back.
  for (const id of ids) await revert(id, selectSequences(from, to))
  return ids[0] ?? null
}

const isActionInput = (input: ActionInput | ReversalInput): input is ActionInput => 'targetField' in input

/** The changes of an actor since a time. */
const selectActor = (actorId: string, since: number): ChangeSelection => ({
  isSelected: (change) => change.actorId === actorId && change.at >= since,
  isTooOld: ({ at }) => at < since,
})

/** The changes of an item. */
const selectSequences = (from: number, to: number): ChangeSelection => ({
  isSelected: ({ sequence }) => sequence >= from && sequence <= to,
  isTooOld: ({ sequence }) => sequence < from,
})

/** The records that an item has changed, the last one first. */
async function listChangedRecords(
  db: Queries,
  workspaceId: string,
  from: number,
  to: number,
): Promise<string[]> {
  const rows = await db.all(changedRecords, { workspaceId, from, to, targetKind: 'record' })
  return [...new Set(rows.map(({ target_id }) => target_id))]
}
