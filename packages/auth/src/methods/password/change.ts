import { type Actor, type Ports, unauthorized } from '@reeve/core'
import type { AccountTable, Database } from '@reeve/db'
import { setPassword } from '../../accounts/account.ts'
import type { SignInStep } from '../../sessions/establish.ts'
import { endSession } from '../../sessions/session.ts'
import { hashPassword } from './hash.ts'
import { reauthenticate } from './reauthenticate.ts'

export interface ChangePasswordInput {
  readonly currentPassword: string
  readonly newPassword: string
}

/**
 * Changes the actor's password. All sessions of the account end; the caller establishes a new one for this browser. A
 * wrong current password counts as a failed sign-in.
 * @returns the step for `establishSession`, which stores the new password
 * @throws AppError `invalid_request` naming `currentPassword`, `rate_limited`; in the step `unauthorized`
 */
export async function changeOwnPassword(
  db: Database,
  ports: Ports,
  actor: Actor,
  { currentPassword, newPassword }: ChangePasswordInput,
): Promise<SignInStep<{ account: AccountTable }>> {
  const confirm = await reauthenticate(db, ports, actor, {
    field: 'currentPassword',
    password: currentPassword,
  })
  const passwordHash = await hashPassword(newPassword)
  return async (tx) => {
    // Of two concurrent changes, or a change and the end of this session, only the first takes effect.
    if (actor.sessionId === null || !(await endSession(tx, actor.id, actor.sessionId)))
      throw unauthorized('invalid_session')
    const account = await confirm(tx)
    await setPassword(tx, ports, actor, { accountId: actor.id, passwordHash })
    return { account }
  }
}
