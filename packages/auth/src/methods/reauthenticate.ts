import { type Actor, invalidRequest, type Ports, unauthorized } from '@reeve/core'
import type { Database, Transaction } from '@reeve/db'
import { findAccountByUsername } from '../accounts/account.ts'
import { clearFailedAttempts, recordFailedAttempt } from '../throttle.ts'
import { verifyPassword } from './password-hash.ts'

export interface ReauthenticationInput {
  /** The field it came in, which a refusal names. */
  readonly field: string
  readonly password: string
}

/**
 * Asks the actor for their own password again, before what a session left open must not be enough for. A wrong one counts
 * as a failed sign-in.
 * @returns a step for the transaction that follows: it refuses where the account has changed meanwhile
 * @throws AppError `invalid_request` naming the field, `rate_limited`
 */
export async function reauthenticate(
  db: Database,
  ports: Ports,
  actor: Actor,
  { field, password }: ReauthenticationInput,
): Promise<(tx: Transaction) => Promise<void>> {
  const attempt = { username: actor.name, ip: actor.ip }
  // Read first: from the moment that the attempt is on record, a change of the account is a change meanwhile.
  const account = await findAccountByUsername(db.read, actor.name)
  await recordFailedAttempt(db, ports, attempt)
  if (!account || !(await verifyPassword(password, account.password_hash))) {
    throw invalidRequest({ field, message: 'is not your present password' })
  }
  return async (tx) => {
    const current = await findAccountByUsername(tx, actor.name)
    if (current?.password_hash !== account.password_hash || current.disabled_at !== null)
      throw unauthorized('invalid_session')
    await clearFailedAttempts(tx, attempt)
  }
}
