import { type Actor, AppError, type Ports } from '@reeve/core'
import type { AccountTable, Database } from '@reeve/db'
import { findAccountByUsername } from '../../accounts/account.ts'
import type { SignInStep } from '../../sessions/establish.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../../throttle.ts'
import { verifyPassword } from './hash.ts'

/** The same error for an unknown username, a wrong password and an account without a password. */
const invalidCredentials = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'The username or password is incorrect.',
  })

/** Shown only after the correct password, so that it reveals nothing about other accounts. */
const accountDisabled = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'This account is disabled. Contact the operator of this instance.',
  })

/**
 * The password sign-in method. An unknown username and an account without a password take as long as a wrong password and
 * get the same response.
 * @param actor the anonymous caller, with IP address and request id
 * @returns the step for `establishSession`
 * @throws AppError `unauthorized`, `rate_limited`; in the step `unauthorized`
 */
export async function signInWithPassword(
  db: Database,
  ports: Ports,
  actor: Actor,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<SignInStep<{ account: AccountTable }>> {
  const attempt = { username, ip: actor.ip }
  await recordFailedAttempt(db, ports, attempt)
  const account = await findAccountByUsername(db.read, username)
  const matches = await verifyPassword(password, account?.password_hash ?? null)
  if (!account || !matches) throw invalidCredentials()
  return async (tx) => {
    // The password may have changed while it was being verified.
    const current = await findAccountByUsername(tx, username)
    if (current?.password_hash !== account.password_hash) throw invalidCredentials()
    if (current.disabled_at !== null) throw accountDisabled()
    await markAttemptsSucceeded(tx, attempt)
    return { account: current }
  }
}
