import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { SECOND_FACTOR_PURPOSE } from '../../factors/factor.ts'
import { tokenExpired } from '../../factors/sign-in.ts'
import { findOneTimeToken, takeOneTimeToken } from '../../one-time-token.ts'
import type { FirstFactor, SignInStep, VerifiedAccount } from '../../sessions/establish.ts'
import { reportSignInFailure, type SignInReporting } from '../../sign-in-failure.ts'
import { hashToken } from '../../token.ts'
import { authenticateWithPasskey, type PasskeyUse } from './authenticate.ts'
import { challengePurposes, issueChallenge } from './challenge.ts'
import type { AssertionInput } from './model.ts'
import { createRequestOptions } from './options.ts'
import { findUsablePasskeys, noUsablePasskey } from './passkeys.ts'
import { assertAvailable, type RelyingParty } from './relying-party.ts'

const reject = (message: string) => new AppError('unauthorized', { reason: 'missing_credentials', message })

/** How a sign-in uses a passkey, besides how failures are reported. */
type SignInUse = Omit<PasskeyUse, 'report'>

/** How a passkey alone signs in, without a username. */
const aloneUse: SignInUse = {
  purpose: challengePurposes.signIn,
  origin: { accountId: null, subject: '' },
  credential: null,
  requiresUserVerification: true,
  reject,
}

/** How a passkey completes a sign-in that has verified another factor. @param token of the pending sign-in */
const secondFactorUse = (accountId: string, token: string): SignInUse => ({
  purpose: challengePurposes.secondFactor,
  origin: { accountId, subject: hashToken(token) },
  credential: hashToken(token),
  requiresUserVerification: false,
  reject,
})

/** The account of a pending sign-in. @throws AppError `invalid_request` naming `token` */
async function findPendingAccountId({ read }: Database, ports: Ports, token: string): Promise<string> {
  const pending = await findOneTimeToken(read, ports, SECOND_FACTOR_PURPOSE, token)
  if (pending == null || pending.accountId === null) throw tokenExpired()
  return pending.accountId
}

/**
 * Starts a sign-in with a passkey: with any, or with one of the account of a pending sign-in.
 * @param token of the pending sign-in; undefined for none
 * @throws AppError `invalid_request` naming `token`; `conflict` if passkeys are not available
 */
export async function startPasskeySignIn(
  db: Database,
  ports: Ports,
  relyingParty: RelyingParty,
  token: string | undefined,
) {
  assertAvailable(relyingParty)
  const use =
    token === undefined ? aloneUse : secondFactorUse(await findPendingAccountId(db, ports, token), token)
  const { accountId } = use.origin
  const accepted = accountId === null ? [] : await findUsablePasskeys(db.read, accountId, relyingParty)
  if (accountId !== null && accepted.length === 0) throw noUsablePasskey()
  const challenge = await db.write((tx) => issueChallenge(tx, ports, use.purpose, use.origin))
  const userVerification = use.requiresUserVerification ? 'required' : 'preferred'
  return {
    options: JSON.stringify(createRequestOptions(relyingParty, challenge, userVerification, accepted)),
  }
}

/**
 * The passkey sign-in method: alone, or as the second factor of a pending sign-in.
 * @param actor the anonymous caller, with IP address and request id
 * @param input.token of the pending sign-in; undefined for none
 * @throws AppError `unauthorized`, `rate_limited`; in the step `unauthorized`
 */
export async function signInWithPasskey(
  app: SignInReporting,
  relyingParty: RelyingParty,
  actor: Actor,
  { token, ...assertion }: AssertionInput & { readonly token?: string },
): Promise<SignInStep<VerifiedAccount>> {
  const { db, ports } = app
  const authenticate = (use: SignInUse) =>
    authenticateWithPasskey(db, ports, relyingParty, actor, assertion, {
      ...use,
      report: (reason, account) => reportSignInFailure(app, actor, { reason, username: null, account }),
    })
  if (token === undefined) {
    const verify = await authenticate(aloneUse)
    return async (tx) => ({ account: await verify(tx), factors: ['passkey'] })
  }
  const verify = await authenticate(secondFactorUse(await findPendingAccountId(db, ports, token), token))
  return async (tx) => {
    const account = await verify(tx)
    const pending = await takeOneTimeToken<FirstFactor>(tx, ports, SECOND_FACTOR_PURPOSE, token)
    if (pending?.accountId !== account.id) throw tokenExpired()
    return { account, factors: [...pending.data.factors, 'passkey'] }
  }
}
