import type { AppealState, Ports } from '@reeve/core'
import { type RecordTable, statement, type Transaction } from '@reeve/db'

interface RecordKey {
  readonly workspaceId: string
  readonly recordId: string
}

const updateExpiry = statement<RecordKey & { expiresAt: number | null }>()((sql, p) =>
  sql
    .updateTable('appeal')
    .set({ ban_expires_at: p.expiresAt })
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId)
    .where('closed_at', 'is', null),
)
const closeAppeal = statement<RecordKey & { state: AppealState; now: number }>()((sql, p) =>
  sql
    .updateTable('appeal')
    .set((eb) => ({
      state: p.state,
      closed_at: p.now,
      updated_at: p.now,
      version: eb('version', '+', 1),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', '=', p.recordId)
    .where('closed_at', 'is', null),
)

/** Keeps the open appeal of a ban in step with the ban: it closes when the ban ends or is replaced, and moves with its expiry. */
export async function followRecord(
  tx: Transaction,
  ports: Ports,
  before: RecordTable,
  after: RecordTable,
): Promise<void> {
  if (after.appeal_code === null) return
  const key = { workspaceId: after.workspace_id, recordId: after.id }
  const hasEnded = before.in_force === 1 && after.in_force === 0
  if (!hasEnded && before.expires_at === after.expires_at) return
  const state = after.ended === 'superseded' ? 'superseded' : 'expired'
  const changed = hasEnded
    ? await tx.run(closeAppeal, { ...key, state, now: ports.now() })
    : await tx.run(updateExpiry, { ...key, expiresAt: after.expires_at })
  if (changed > 0) tx.announce({ kind: 'appeal', workspaceId: after.workspace_id, id: after.id })
}
