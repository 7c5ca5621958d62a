import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, type Ports } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import { queueNotice } from '../mail/notice.ts'
import { deleteTotpOfAccount } from '../methods/totp/service.ts'
import { revokeOneTimeTokens } from '../one-time-token.ts'
import { endAccountSessions } from '../sessions/session.ts'
import { listSecondFactors } from './enrolled.ts'
import { SECOND_FACTOR_PURPOSE } from './factor.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

const deletePasskeys = statement<{ accountId: string }>()((sql, p) =>
  sql.deleteFrom('passkey').where('account_id', '=', p.accountId),
)

/** Deletes everything that an account can present as a second factor, and ends the sign-ins that wait for one. */
async function deleteSecondFactors(tx: Transaction, accountId: string): Promise<void> {
  await deleteTotpOfAccount(tx, accountId)
  await tx.run(deletePasskeys, { accountId })
  await deleteRecoveryCodes(tx, accountId)
  await revokeOneTimeTokens(tx, accountId, SECOND_FACTOR_PURPOSE)
}

/**
 * Removes the second factors of somebody who has lost them, and ends all of their sessions: the next sign-in needs the first factor alone.
 * @throws AppError `conflict` if the account has no second factor
 */
export async function resetSecondFactors(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  account: { readonly id: string; readonly username: string },
): Promise<void> {
  const removed = await listSecondFactors(tx, account.id)
  if (removed.length === 0)
    throw new AppError('conflict', { message: `${account.username} has no second factor.` })
  await deleteSecondFactors(tx, account.id)
  await endAccountSessions(tx, account.id)
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.reset_factors',
    target: { kind: 'account', id: account.id },
    before: { factors: removed },
    chain: INSTANCE_CHAIN,
  })
  await queueNotice(tx, ports, account.id, { event: 'factors_reset' })
}
