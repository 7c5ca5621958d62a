import type { HistoryPosition } from '@reeve/audit'
import { createSystemActor, type Ports } from '@reeve/core'
import { type Database, runInSlices, statement, type WebhookStateReason } from '@reeve/db'
import { pauseWebhook } from '../pause.ts'
import { type Cursor, listActive, moveCursor } from './cursor.ts'

/** Sends nothing that waited: the receivers may have got it after the backup was made. */
const cancelPending = statement<{ workspaceId: string; now: number; error: string; limit: number }>()(
  (sql, p) =>
    sql
      .updateTable('delivery')
      .set({ state: 'failed', done_at: p.now, leased_until: null, leased_by: null, last_error: p.error })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('delivery')
          .select('id')
          .where('workspace_id', '=', p.workspaceId)
          .where('done_at', 'is', null)
          .limit(p.limit),
      ),
)

/** The part of an epoch that is the same in all workspaces changes with a restore or a move, the rest with a roll-back. */
const toReason = (before: string, after: string): WebhookStateReason =>
  before.split('-')[0] === after.split('-')[0] ? 'rolled_back' : 'restored'

/**
 * Pauses the webhooks of a workspace whose history was replaced, until the owner or an operator confirms them: what was restored is not sent again, and nothing
 * is sent from a copy of the instance that somebody has restored elsewhere.
 */
export async function pauseForNewEpoch(
  db: Database,
  ports: Ports,
  cursor: Cursor,
  { epoch, sequence }: HistoryPosition,
): Promise<void> {
  const { workspace_id: workspaceId } = cursor
  const reason = toReason(cursor.epoch, epoch)
  const error =
    reason === 'restored'
      ? 'Not sent: the instance was restored or moved.'
      : 'Not sent: the workspace was rolled back.'
  await runInSlices(db, cancelPending, { workspaceId, now: ports.now(), error })
  await db.write(async (tx) => {
    const now = ports.now()
    const movedRows = await tx.run(moveCursor, {
      workspaceId,
      consumer: cursor.consumer,
      from: cursor.epoch,
      epoch,
      sequence,
      now,
    })
    // Another process has done it.
    if (movedRows === 0) return
    const actor = createSystemActor(workspaceId)
    for (const webhook of await listActive(tx, workspaceId))
      await pauseWebhook(tx, ports, actor, webhook, reason)
  })
}
