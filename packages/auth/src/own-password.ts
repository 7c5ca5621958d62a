import { type Actor, invalidRequest, type Ports, unauthorized } from '@reeve/core'
import type { Database, Transaction } from '@reeve/db'
import { accountNamed } from './account.ts'
import { isPassword } from './password.ts'
import { forgive, takeAttempt } from './throttle.ts'

export interface OwnPassword {
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
export async function needOwnPassword(
  db: Database,
  ports: Ports,
  actor: Actor,
  { field, password }: OwnPassword,
): Promise<(tx: Transaction) => Promise<void>> {
  const guess = { name: actor.name, address: actor.ip }
  // Read first: from the moment that the attempt is on record, a change of the account is a change meanwhile.
  const account = await accountNamed(db.read, actor.name)
  await takeAttempt(db, ports, guess)
  if (!account || !(await isPassword(password, account.password_hash))) {
    throw invalidRequest({ field, message: 'is not your present password' })
  }
  return async (tx) => {
    const present = await accountNamed(tx, actor.name)
    if (present?.password_hash !== account.password_hash || present.disabled_at !== null)
      throw unauthorized('invalid_session')
    await forgive(tx, guess)
  }
}
