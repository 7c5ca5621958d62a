import { type Actor, getUndecidedState, type Ports } from '@reeve/core'
import { type RecordTable, type Transaction, updateAppealExpiry } from '@reeve/db'
import { closeAppeal } from './close.ts'
import { findAppeals } from './store.ts'

/** Keeps the open appeal of a ban in step with the ban: it closes when the ban ends or is replaced, and moves with its expiry. */
export async function followRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: RecordTable,
  after: RecordTable,
): Promise<void> {
  if (after.appeal_code === null) return
  const hasEnded = before.in_force === 1 && after.in_force === 0
  if (!hasEnded && before.expires_at === after.expires_at) return
  const workspaceId = after.workspace_id
  const [appeal] = await findAppeals(tx, { workspaceId, recordId: after.id }, 1)
  if (!appeal || appeal.closed_at !== null) return
  if (hasEnded) {
    await closeAppeal(tx, ports, actor, appeal, getUndecidedState(after.ended))
    return
  }
  await tx.run(updateAppealExpiry, { workspaceId, id: appeal.id, expiresAt: after.expires_at })
  tx.announce({ kind: 'appeal', workspaceId, id: appeal.id })
}
