import { type Actor, createSystemActor, type Ports } from '@reeve/core'
import { type Database, statement, type Transaction } from '@reeve/db'
import { closeAppeal } from './close.ts'
import { isOpen } from './rules.ts'
import { findAppeal } from './store.ts'

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
/** The server, on behalf of the ban. */
const createActor = (workspaceId: string): Actor => createSystemActor(workspaceId, 'expired bans')

const BATCH = 100

/** Closes open appeals whose ban has expired. Readers see them as expired before, so this only keeps the index of open ones small. */
export async function closeExpiredAppeals(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const now = ports.now()
    const rows = await db.read.all(expiredAppeals, { now, limit: BATCH })
    for (const workspaceId of new Set(rows.map((row) => row.workspace_id))) {
      const ids = rows.filter((row) => row.workspace_id === workspaceId).map(({ id }) => id)
      await db.write(async (tx) => {
        for (const id of ids) await closeIfExpired(tx, ports, createActor(workspaceId), id)
      })
    }
    if (rows.length < BATCH) return
  }
}

/** Closes an appeal, unless somebody has closed it since it was found, or its ban was prolonged. */
async function closeIfExpired(tx: Transaction, ports: Ports, actor: Actor, id: string): Promise<void> {
  const appeal = await findAppeal(tx, actor.workspaceId, id)
  if (!appeal || appeal.closed_at !== null || isOpen(appeal, ports.now())) return
  await closeAppeal(tx, ports, actor, appeal, 'expired')
}
