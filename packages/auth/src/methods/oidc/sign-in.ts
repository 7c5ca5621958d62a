import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database, Transaction } from '@reeve/db'
import { assertNotDisabled, findAccountByUsername } from '../../accounts/account.ts'
import { username as usernameCodec } from '../../accounts/username.ts'
import { issueOneTimeToken } from '../../one-time-token.ts'
import type { SignInStep, VerifiedAccount } from '../../sessions/establish.ts'
import { reportSignInFailure, type SignInReporting } from '../../sign-in-failure.ts'
import { FLOW_LIFETIME_MS } from './browser-cookie.ts'
import type { ProviderIdentity, ReturnedIdentity } from './exchange.ts'
import { findAccountByIdentity, recordIdentityUse } from './identities.ts'
import type { OidcProvider } from './provider.ts'

/**
 * The sign-in of an identity that is linked to an account.
 * @returns the step for `startSignIn`; null if the identity is not linked
 * @throws AppError `unauthorized` if the account is disabled; in the step also if the identity was unlinked meanwhile
 */
export async function signInWithIdentity(
  app: SignInReporting,
  actor: Actor,
  provider: OidcProvider,
  { identity, signedInAt }: ReturnedIdentity,
): Promise<SignInStep<VerifiedAccount> | null> {
  const { db, ports } = app
  const linked = await findAccountByIdentity(db.read, identity)
  if (linked === undefined) return null
  if (linked.disabled_at !== null)
    await reportSignInFailure(app, actor, { reason: 'account_disabled', username: null, account: linked })
  assertNotDisabled(linked)
  return async (tx) => {
    const account = await findAccountByIdentity(tx, identity)
    if (account === undefined) throw notLinked(provider, identity)
    assertNotDisabled(account)
    await recordIdentityUse(tx, ports, identity)
    // In a browser that was left open, a sign-in at the provider from hours ago may be enough for this one.
    return { account, factors: ['identity'], verifiedAt: signedInAt ?? undefined }
  }
}

/** The error for an identity without an account. */
export function notLinked({ name }: Pick<OidcProvider, 'name'>, identity: ProviderIdentity): AppError {
  const who = identity.name === null ? `Your ${name} account` : `The ${name} account ${identity.name}`
  return new AppError('unauthorized', {
    reason: 'missing_credentials',
    message:
      `${who} is not linked to an account of this instance. If you have an account, sign in another way, then link ${name} ` +
      'under Your account. If you have none, ask for an invitation.',
  })
}

export const SIGN_UP_PURPOSE = 'oidc_sign_up'

/** What the token of `SIGN_UP_PURPOSE` stands for: a verified identity without an account. */
export interface PendingSignUp extends ProviderIdentity {
  readonly providerId: string
}

/** Issues the token for creating an account for an identity. */
export async function offerSignUp(
  db: Database,
  ports: Ports,
  { id: providerId }: Pick<OidcProvider, 'id'>,
  identity: ProviderIdentity,
): Promise<{ readonly token: string; readonly username: string }> {
  return db.write(async (tx) => ({
    token: await issueOneTimeToken<PendingSignUp>(tx, ports, {
      purpose: SIGN_UP_PURPOSE,
      accountId: null,
      data: { ...identity, providerId },
      lifetimeMs: FLOW_LIFETIME_MS,
    }),
    username: await proposeUsername(tx, identity.name),
  }))
}

const MAX_PROPOSALS = 20
const MAX_USERNAME_LENGTH = 50
const SUFFIX_LENGTH = 3

/** A username that is free at the moment, from the name at the provider; empty if there is none like it. */
async function proposeUsername(tx: Transaction, name: string | null): Promise<string> {
  // The name may be an e-mail address, which other members should not see.
  const base = [...(name?.split('@')[0] ?? '').replace(/\s+/g, ' ').trim()]
    .slice(0, MAX_USERNAME_LENGTH - SUFFIX_LENGTH)
    .join('')
  for (let count = 1; count <= MAX_PROPOSALS; count++) {
    const proposal = count === 1 ? base : `${base}${count}`
    if (!isUsername(proposal)) return ''
    if ((await findAccountByUsername(tx, proposal)) === undefined) return proposal
  }
  return ''
}

function isUsername(text: string): boolean {
  try {
    return usernameCodec.read(text) === text
  } catch {
    return false
  }
}
