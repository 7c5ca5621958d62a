import { DAY_MS, type Ports } from '@reeve/core'
import { type Database, deleteInSlices, statement } from '@reeve/db'

/** How long finished deliveries are kept. */
const KEPT_MS = 30 * DAY_MS

const deleteFinished = statement<{ before: number; limit: number }>()((sql, p) =>
  sql
    .deleteFrom('delivery')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('id')
        .where('done_at', '<=', p.before)
        .orderBy('done_at')
        .limit(p.limit),
    ),
)
const deletedWebhooks = statement<{ limit: number }>()((sql, p) =>
  sql.selectFrom('webhook').select(['workspace_id', 'id']).where('deleted_at', 'is not', null).limit(p.limit),
)
const deleteDeliveries = statement<{ workspaceId: string; targetId: string; limit: number }>()((sql, p) =>
  sql
    .deleteFrom('delivery')
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) =>
      eb(
        'id',
        'in',
        eb
          .selectFrom('delivery as sent')
          .select('sent.id')
          .where('sent.workspace_id', '=', p.workspaceId)
          .where('sent.target_id', '=', p.targetId)
          .limit(p.limit),
      ),
    ),
)
const deleteWebhookRow = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .deleteFrom('webhook')
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is not', null),
)

const WEBHOOKS_PER_RUN = 100

/** Deletes deliveries that finished 30 days ago, and webhooks that were deleted with everything that was sent to them. */
export async function deleteOldDeliveries(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  await deleteInSlices(db, deleteFinished, { before: ports.now() - KEPT_MS }, signal)
  for (const { workspace_id: workspaceId, id } of await db.read.all(deletedWebhooks, {
    limit: WEBHOOKS_PER_RUN,
  })) {
    await deleteInSlices(db, deleteDeliveries, { workspaceId, targetId: id }, signal)
    if (signal?.aborted) return
    await db.write((tx) => tx.run(deleteWebhookRow, { workspaceId, id }))
  }
}
