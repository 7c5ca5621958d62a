import { DAY_MS, type Ports } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import type { SecurityNotice } from './content.ts'
import { findMailAddress, hasManyMails, queueMail } from './outbox.ts'

/** More notices than this a day inform nobody: the list of security activity has all of them. */
const NOTICES_PER_DAY = 50

/**
 * Queues a mail about something that happened to an account, if it has an address.
 * @param to another recipient than the address that the account has when the mail is sent
 */
export async function queueNotice(
  tx: Transaction,
  ports: Ports,
  accountId: string,
  notice: SecurityNotice,
  to: string | null = null,
): Promise<void> {
  const account = await findMailAddress(tx, accountId)
  if (account === null) return
  const limit = { max: NOTICES_PER_DAY, windowMs: DAY_MS }
  if (await hasManyMails(tx, ports, { accountId, kind: 'notice' }, limit)) return
  const content = { kind: 'notice', username: account.username, notice, at: ports.now() } as const
  await queueMail(tx, ports, { accountId, to, content, lifetimeMs: DAY_MS })
}
