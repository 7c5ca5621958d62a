import type { Ports } from '@reeve/core'
import { type Database, statement } from '@reeve/db'

/** Across workspaces: open appeals whose ban has expired. */
const expiredAppeals = statement<{ now: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('appeal')
    .select(['workspace_id', 'id'])
    .where('closed_at', 'is', null)
    .where('ban_expires_at', 'is not', null)
    .where('ban_expires_at', '<=', p.now)
    .orderBy('ban_expires_at')
    .limit(p.limit),
)
const closeExpired = statement<{ workspaceId: string; ids: readonly string[]; now: number }>()(
  (sql, p, dialect) =>
    sql
      .updateTable('appeal')
      .set((eb) => ({
        state: 'expired' as const,
        closed_at: eb.ref('ban_expires_at'),
        updated_at: p.now,
        version: eb('version', '+', 1),
      }))
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('id', p.ids))
      .where('closed_at', 'is', null)
      .where('ban_expires_at', '<=', p.now),
)

const BATCH = 100

/** Closes open appeals whose ban has expired. Readers see them as expired before, so this only keeps the index of open ones small. */
export async function closeExpiredAppeals(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const now = ports.now()
    const rows = await db.read.all(expiredAppeals, { now, limit: BATCH })
    for (const workspaceId of new Set(rows.map((row) => row.workspace_id))) {
      const ids = rows.filter((row) => row.workspace_id === workspaceId).map(({ id }) => id)
      await db.write(async (tx) => {
        await tx.run(closeExpired, { workspaceId, ids, now })
        tx.announce({ kind: 'appeal', workspaceId, id: workspaceId })
      })
    }
    if (rows.length < BATCH) return
  }
}
