import { type Actor, getClosingTime, type Ports } from '@reeve/core'
import type { AppealTable, Transaction } from '@reeve/db'
import { saveAppeal } from './store.ts'

/** The verbs of the audit log for the two ways in which an appeal closes without a decision. */
const VERBS = { expired: 'expire', superseded: 'supersede' } as const

/** Closes an open appeal whose ban has ended or was replaced. */
export function closeAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  appeal: AppealTable,
  state: keyof typeof VERBS,
): Promise<AppealTable> {
  const closedAt = getClosingTime(appeal.ban_expires_at, ports.now())
  return saveAppeal(tx, ports, actor, VERBS[state], appeal, { state, closed_at: closedAt })
}
