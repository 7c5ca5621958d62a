import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database, Transaction } from '@reeve/db'
import { actorForAccount, createAccount, hasAccounts } from '../../accounts/account.ts'
import { findOneTimeToken, takeOneTimeToken } from '../../one-time-token.ts'
import type { SignInStep, VerifiedAccount } from '../../sessions/establish.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../../throttle/attempts.ts'
import { hashToken } from '../../token.ts'
import { linkIdentity } from './identities.ts'
import type { OidcProvider } from './provider.ts'
import { type PendingSignUp, SIGN_UP_PURPOSE } from './sign-in.ts'

/** A workspace that somebody has joined. */
export interface JoinedWorkspace {
  readonly id: string
  readonly groupName: string
}

/** Accepts an invitation for the actor. Injected, because resource packages do not import each other. */
export type AcceptInvitation = (
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  token: string,
) => Promise<{ readonly workspace: JoinedWorkspace }>

export interface SignUpInput {
  readonly token: string
  readonly username: string
  /** The token of an invitation to accept with the new account; null for none. */
  readonly invitation: string | null
}

const signUpNotFound = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'This sign-up was already finished, or took longer than ten minutes. Start again.',
  })

/**
 * Creates an account without a password for a verified identity, and accepts an invitation with it if there is one.
 * @param findProvider the configured provider with an id
 * @returns the step for `establishSession`
 * @throws AppError `unauthorized` for an unusable token, `rate_limited`, `forbidden` without an invitation if the provider creates no
 *   accounts; in the step also `conflict` for a taken username, and as `acceptInvitation`
 */
export async function signUpWithIdentity(
  db: Database,
  ports: Ports,
  actor: Actor,
  {
    findProvider,
    acceptInvitation,
  }: {
    readonly findProvider: (id: string) => OidcProvider | undefined
    readonly acceptInvitation: AcceptInvitation
  },
  { token, username, invitation }: SignUpInput,
): Promise<SignInStep<VerifiedAccount & { readonly workspace: JoinedWorkspace | null }>> {
  const attempt = { username: '', ip: actor.ip, credential: hashToken(token) }
  await recordFailedAttempt(db, ports, attempt)
  const pending = await findOneTimeToken<PendingSignUp>(db.read, ports, SIGN_UP_PURPOSE, token)
  const provider = findProvider(pending?.data.providerId ?? '')
  if (pending === null || provider === undefined) throw signUpNotFound()
  if (!provider.createsAccounts && invitation === null) {
    throw new AppError('forbidden', {
      reason: 'missing_permission',
      message:
        'Accounts are created by invitation on this instance. Open your invitation link and sign up there.',
    })
  }
  return async (tx) => {
    const taken = await takeOneTimeToken<PendingSignUp>(tx, ports, SIGN_UP_PURPOSE, token)
    if (taken === null) throw signUpNotFound()
    // Otherwise this would be the first account, and nobody could set the instance up.
    if (!(await hasAccounts(tx)))
      throw new AppError('conflict', { message: 'This instance is not set up yet. Set it up first.' })
    const { issuer, subject, name } = taken.data
    const account = await createAccount(tx, ports, actor, {
      username,
      passwordHash: null,
      isOperator: false,
    })
    const accountActor = actorForAccount(actor, account)
    await linkIdentity(tx, ports, accountActor, provider, { issuer, subject, name })
    const joined = invitation === null ? null : await acceptInvitation(tx, ports, accountActor, invitation)
    await markAttemptsSucceeded(tx, attempt)
    return { account, factors: ['identity'], workspace: joined?.workspace ?? null }
  }
}
