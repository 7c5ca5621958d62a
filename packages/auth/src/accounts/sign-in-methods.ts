import { AppError } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'

const passwordOfAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('account').select('id').where('id', '=', p.accountId).where('password_hash', 'is not', null),
)
const identityOfAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('account_identity').select('subject').where('account_id', '=', p.accountId).limit(1),
)
const passkeyOfAccount = statement<{ accountId: string; rpId: string }>()((sql, p) =>
  sql
    .selectFrom('passkey')
    .select('id')
    .where('account_id', '=', p.accountId)
    .where('rp_id', '=', p.rpId)
    .limit(1),
)

/**
 * Requires that an account can still sign in, in the transaction that removed one of its ways to do so.
 * @param rpId the host of this instance: a passkey for another one does not work
 * @throws AppError `conflict`
 */
export async function assertHasSignInMethod(tx: Transaction, accountId: string, rpId: string): Promise<void> {
  const canSignIn =
    (await tx.first(passwordOfAccount, { accountId })) ??
    (await tx.first(identityOfAccount, { accountId })) ??
    (await tx.first(passkeyOfAccount, { accountId, rpId }))
  if (canSignIn === undefined)
    throw new AppError('conflict', {
      message: 'This is the only way to sign in to your account. Add another one first.',
    })
}
