import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import type { Actor, Ports } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { queueNotice } from '../mail/notice.ts'
import { forgetSecondFactors } from '../sessions/session.ts'
import { listSecondFactors } from './enrolled.ts'
import type { SecondFactor } from './factor.ts'
import { countRecoveryCodes, createRecoveryCodes, deleteRecoveryCodes } from './recovery-codes.ts'

/** A second factor that was added or removed, for the audit log. */
export interface ChangedFactor {
  readonly factor: Exclude<SecondFactor, 'recovery_code'>
  /** Which one, if an account can have several. */
  readonly name?: string
}

/**
 * What follows after a second factor was stored: the audit entry, and recovery codes if the account has none.
 * @returns the new recovery codes, to be shown once; null if the account already has some
 */
export async function recordFactorAdded(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  added: ChangedFactor,
): Promise<string[] | null> {
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.add_factor',
    target: { kind: 'account', id: actor.id },
    after: { ...added },
    chain: INSTANCE_CHAIN,
  })
  await queueNotice(tx, ports, actor.id, { event: 'factor_added', ...added })
  const { remaining } = await countRecoveryCodes(tx, actor.id)
  return remaining === 0 ? createRecoveryCodes(tx, ports, actor.id) : null
}

/** What follows after a second factor was deleted: the audit entry. With the last one go the recovery codes, and its verification in sessions. */
export async function recordFactorRemoved(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  removed: ChangedFactor,
): Promise<void> {
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.remove_factor',
    target: { kind: 'account', id: actor.id },
    before: { ...removed },
    chain: INSTANCE_CHAIN,
  })
  await queueNotice(tx, ports, actor.id, { event: 'factor_removed', ...removed })
  if ((await listSecondFactors(tx, actor.id)).length > 0) return
  await deleteRecoveryCodes(tx, actor.id)
  await forgetSecondFactors(tx, ports, actor.id)
}
