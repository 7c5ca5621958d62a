import { AppError } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import type { Settings } from '../settings.ts'

const passwordOfAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('account').select('id').where('id', '=', p.accountId).where('password_hash', 'is not', null),
)
const identityOfAccount = statement<{ accountId: string; issuers: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('account_identity')
    .select('subject')
    .where('account_id', '=', p.accountId)
    .where(dialect.inList('issuer', p.issuers))
    .limit(1),
)
/** Those that have verified their user come first. */
const passkeyOfAccount = statement<{ accountId: string; rpId: string }>()((sql, p) =>
  sql
    .selectFrom('passkey')
    .select('has_verified_user')
    .where('account_id', '=', p.accountId)
    .where('rp_id', '=', p.rpId)
    .orderBy('has_verified_user', 'desc')
    .limit(1),
)

/**
 * Requires that an account can still sign in, in the transaction that removed one of its ways to do so. An identity of a provider that
 * is not configured is none, nor is a passkey for another host, or one that has never verified its user.
 * @throws AppError `conflict`
 */
export async function assertHasSignInMethod(
  tx: Transaction,
  { oidcProviders, publicUrl }: Pick<Settings, 'oidcProviders' | 'publicUrl'>,
  accountId: string,
): Promise<void> {
  const issuers = oidcProviders.map(({ issuer }) => issuer.href)
  const hasOther =
    (await tx.first(passwordOfAccount, { accountId })) ??
    (await tx.first(identityOfAccount, { accountId, issuers }))
  if (hasOther !== undefined) return
  const passkey = await tx.first(passkeyOfAccount, { accountId, rpId: publicUrl.hostname })
  if (passkey?.has_verified_user === 1) return
  throw new AppError('conflict', {
    message:
      passkey === undefined
        ? 'This is the only way to sign in to your account. Add another one first, or get a password from an operator.'
        : 'This is the only known way to sign in to your account: no other passkey has checked who you are yet, with a PIN, a fingerprint or your face. ' +
          'Sign in with another passkey alone, add another way, or get a password from an operator first.',
  })
}
