import { type Actor, invalidRequest, type Ports, unauthorized } from '@reeve/core'
import type { AccountTable, Database, Transaction } from '@reeve/db'
import { findAccountByUsername } from '../../accounts/account.ts'
import { describeDevice } from '../../sessions/device.ts'
import { isSessionActive } from '../../sessions/session.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../../throttle/attempts.ts'
import { verifyPassword } from './hash.ts'

export interface ReauthenticationInput {
  /** The request field that holds the password; errors name it. */
  readonly field: string
  readonly password: string
  /** The token by which the browser may be known to the account; null without one. */
  readonly deviceToken: string | null
}

/**
 * Verifies the actor's own password before a sensitive action, so that an unattended session is not enough for it. A wrong
 * password counts as a failed sign-in. A browser in which the account has signed in has limits of its own, so guesses of others do not keep
 * its owner out.
 * @returns a step for the transaction that follows: it fails if the account has changed since, and returns the account
 * @throws AppError `invalid_request` naming the field, `rate_limited`; `unauthorized` if the session has ended in the meantime, also in the step
 */
export async function reauthenticate(
  db: Database,
  ports: Ports,
  actor: Actor,
  { field, password, deviceToken }: ReauthenticationInput,
): Promise<(tx: Transaction) => Promise<AccountTable>> {
  const attempt = {
    username: actor.name,
    ip: actor.ip,
    credential: actor.sessionId,
    ...(await describeDevice(db.read, ports, actor.id, deviceToken)),
  }
  // Read before the attempt is recorded: any later change of the account makes the step fail.
  const account = await findAccountByUsername(db.read, actor.name)
  if (account && account.password_hash === null) {
    throw invalidRequest({
      field,
      message: 'cannot be verified: your account has no password. An operator can set one.',
    })
  }
  await recordFailedAttempt(db, ports, attempt)
  if (!account || !(await verifyPassword(password, account.password_hash))) {
    // A change of the password that was committed after the request was authorized has ended its session, too.
    const isSignedIn = actor.sessionId !== null && (await isSessionActive(db.read, ports, actor.sessionId))
    if (!isSignedIn) throw unauthorized('invalid_session')
    throw invalidRequest({ field, message: 'is not your current password' })
  }
  return async (tx) => {
    const current = await findAccountByUsername(tx, actor.name)
    if (current?.password_hash !== account.password_hash || current.disabled_at !== null)
      throw unauthorized('invalid_session')
    await markAttemptsSucceeded(tx, attempt)
    return current
  }
}
