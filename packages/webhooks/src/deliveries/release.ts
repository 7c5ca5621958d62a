import type { Ports } from '@reeve/core'
import { type Database, type DeliveryTable, statement } from '@reeve/db'
import { markDeliveriesDue } from '../store.ts'

const leasedTargets = statement<{ limit: number }>()((sql, p) =>
  sql
    .selectFrom('delivery')
    .select(['workspace_id', 'target_id', 'id'])
    .where('leased_until', 'is not', null)
    .limit(p.limit),
)
const release = statement<{ workspaceId: string; id: string; now: number }>({ isCommutative: true })(
  (sql, p) =>
    sql
      .updateTable('delivery')
      .set({ leased_until: null, leased_by: null, due_at: p.now })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id),
)

/** Gives back the delivery of an attempt that was not made or that a shutdown has interrupted. */
export const releaseDelivery = (
  db: Database,
  ports: Ports,
  { workspace_id, target_id, id }: Pick<DeliveryTable, 'workspace_id' | 'target_id' | 'id'>,
): Promise<unknown> =>
  db.write(async (tx) => {
    const now = ports.now()
    await markDeliveriesDue(tx, workspace_id, [target_id], now)
    await tx.run(release, { workspaceId: workspace_id, id, now })
  })

/** The most that a process can have been sending when it was killed. */
const MAX_LEASED = 1000

/** Gives back what a process was sending that no longer runs: only for a database that one process at a time uses. */
export async function releaseAll(db: Database, ports: Ports): Promise<void> {
  for (const delivery of await db.read.all(leasedTargets, { limit: MAX_LEASED }))
    await releaseDelivery(db, ports, delivery)
}
