import { type Actor, AppError, hasErrorCode } from '@reeve/core'
import { assertNotDisabled, findAccountByUsername } from '../../accounts/account.ts'
import { describeDevice } from '../../sessions/device.ts'
import type { SignInStep, VerifiedAccount } from '../../sessions/establish.ts'
import { reportSignInFailure, type SignInFailureReason, type SignInReporting } from '../../sign-in-failure.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../../throttle/attempts.ts'
import { verifyPassword } from './hash.ts'

/** The error for an unknown username, a wrong password and an account without a password: it does not reveal which. */
const invalidCredentials = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'The username or password is incorrect.',
  })

export interface PasswordSignIn {
  readonly username: string
  readonly password: string
  /** The token by which the browser may be known to the account; null without one. */
  readonly deviceToken: string | null
}

/**
 * The password sign-in method. An unknown username and an account without a password take as long as a wrong password and
 * get the same response.
 * @param actor the anonymous caller, with IP address and request id
 * @returns the step for `establishSession`
 * @throws AppError `unauthorized`, `rate_limited`; in the step `unauthorized`
 */
export async function signInWithPassword(
  app: SignInReporting,
  actor: Actor,
  { username, password, deviceToken }: PasswordSignIn,
): Promise<SignInStep<VerifiedAccount>> {
  const { db, ports } = app
  const account = await findAccountByUsername(db.read, username)
  const fail = (reason: SignInFailureReason) => reportSignInFailure(app, actor, { reason, username, account })
  const attempt = {
    username,
    ip: actor.ip,
    ...(await describeDevice(db.read, ports, account?.id, deviceToken)),
  }
  await recordFailedAttempt(db, ports, attempt).catch(async (error) => {
    if (hasErrorCode(error, 'rate_limited')) await fail('rate_limited')
    throw error
  })
  const matches = await verifyPassword(password, account?.password_hash ?? null)
  if (!account || !matches) {
    await fail(account ? 'wrong_password' : 'unknown_username')
    throw invalidCredentials()
  }
  if (account.disabled_at !== null) await fail('account_disabled')
  assertNotDisabled(account)
  return async (tx) => {
    // The password may have changed while it was being verified.
    const current = await findAccountByUsername(tx, username)
    if (current?.password_hash !== account.password_hash) throw invalidCredentials()
    assertNotDisabled(current)
    await markAttemptsSucceeded(tx, attempt)
    return { account: current, factors: ['password'] }
  }
}
