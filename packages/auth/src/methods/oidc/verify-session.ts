import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database, Queries, Transaction } from '@reeve/db'
import { addVerifiedFactor, listVerificationFactors } from '../../factors/verify-session.ts'
import type { ProviderIdentity } from './exchange.ts'
import { findAccountByIdentity, listIdentities, recordIdentityUse } from './identities.ts'
import type { OidcProvider } from './provider.ts'

/** The providers with which an account confirms sensitive actions: those that it can sign in with, if it has no other way. */
export async function listVerificationProviders(
  db: Queries,
  accountId: string,
  providers: readonly OidcProvider[],
): Promise<OidcProvider[]> {
  if ((await listVerificationFactors(db, accountId)).length > 0) return []
  const issuers = new Set((await listIdentities(db, accountId)).map(({ issuer }) => issuer))
  return providers.filter(({ issuer }) => issuers.has(issuer.href))
}

/** @throws AppError `conflict` unless the account confirms sensitive actions with this provider */
export async function assertCanVerifyWith(
  db: Queries,
  accountId: string,
  provider: OidcProvider,
): Promise<void> {
  if ((await listVerificationProviders(db, accountId, [provider])).length > 0) return
  throw new AppError('conflict', {
    message: `Your account does not confirm actions with ${provider.name}. Use your second factor or your password.`,
  })
}

/**
 * Verifies a session with the identity that has just signed in again at its provider.
 * @param actor the account that started it, in the session that started it
 * @throws AppError `conflict` for the identity of another account, or if the account has a second factor or a password by now;
 *   `unauthorized` if the session has ended
 */
export async function verifySessionWithIdentity(
  { db, ports }: { readonly db: Database; readonly ports: Ports },
  actor: Actor,
  provider: OidcProvider,
  identity: ProviderIdentity,
): Promise<{ verifiedUntil: string }> {
  return db.write(async (tx: Transaction) => {
    await assertCanVerifyWith(tx, actor.id, provider)
    if ((await findAccountByIdentity(tx, identity))?.id !== actor.id) {
      throw new AppError('conflict', {
        message: `You signed in with another ${provider.name} account than the one that is linked to yours. Start again.`,
      })
    }
    await recordIdentityUse(tx, ports, identity)
    return addVerifiedFactor(tx, ports, actor, 'identity')
  })
}
