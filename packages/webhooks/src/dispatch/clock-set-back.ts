import type { Ports } from '@reeve/core'
import { type Database, runInSlices, statement } from '@reeve/db'
import { LEASE_MS } from '../deliveries/limits.ts'
import { lockWebhooks, selectFirstDue, type WebhookKeys } from '../store.ts'
import { type Cursor, listSubscribedWebhooks, MAX_CLOCK_DIFFERENCE_MS, rewindCursor } from './cursor.ts'

/** An attempt that is in progress keeps the time that any attempt has. */
const makeDue = statement<{ workspaceId: string; now: number; leasedUntil: number; limit: number }>({
  isCommutative: true,
})((sql, p) =>
  sql
    .updateTable('delivery')
    .set((eb) => {
      const leasedUntil = eb.cast<number>(eb.val(p.leasedUntil), 'bigint')
      const now = eb.cast<number>(eb.val(p.now), 'bigint')
      return { due_at: eb.case().when('leased_until', 'is', null).then(now).else(leasedUntil).end() }
    })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('id')
        .where('workspace_id', '=', p.workspaceId)
        .where('done_at', 'is', null)
        .where('due_at', '>', p.leasedUntil)
        .limit(p.limit),
    ),
)
const endPauses = statement<WebhookKeys & { now: number }>({ isCommutative: true })((sql, p, dialect) =>
  sql
    .updateTable('webhook')
    .set((eb) => ({ hold_until: 0, next_due_at: selectFirstDue(eb, p.workspaceId) }))
    .where('workspace_id', '=', p.workspaceId)
    .where('state', '=', 'active')
    .where((eb) => eb('id', 'in', lockWebhooks(eb.selectFrom('webhook').select('id'), p, dialect))),
)

/**
 * Continues from now on if a clock that was ahead has been set back: expiries are looked for again, and what waited for a time in the
 * future is due, because nobody knows how long it has waited.
 * @returns the cursor
 */
export async function followClock(db: Database, ports: Ports, cursor: Cursor): Promise<Cursor> {
  const now = ports.now()
  if (cursor.expired_until <= now + MAX_CLOCK_DIFFERENCE_MS) return cursor
  const workspaceId = cursor.workspace_id
  await runInSlices(db, makeDue, { workspaceId, now, leasedUntil: now + LEASE_MS })
  const ids = (await listSubscribedWebhooks(db.read, workspaceId)).map(({ id }) => id)
  await db.write(async (tx) => {
    // Otherwise, another process has done it.
    if (await rewindCursor(tx, cursor, now)) await tx.run(endPauses, { workspaceId, ids, now })
  })
  return { ...cursor, expired_until: now, expired_id: null }
}
