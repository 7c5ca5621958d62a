import { type Actor, type Ports, unauthorized } from '@reeve/core'
import type { Database, Queries } from '@reeve/db'
import { setPassword } from '../../accounts/account.ts'
import { listSecondFactors } from '../../factors/enrolled.ts'
import { assertSessionVerified } from '../../gate/recent-verification.ts'
import type { SignInStep, VerifiedAccount } from '../../sessions/establish.ts'
import { endSession, findSessionFactors } from '../../sessions/session.ts'
import { hashPassword } from './hash.ts'
import { reauthenticate } from './reauthenticate.ts'

export interface ChangePasswordInput {
  readonly currentPassword: string
  readonly newPassword: string
  /** The token by which the browser may be known to the account; null without one. */
  readonly deviceToken: string | null
}

/**
 * Changes the actor's password. All sessions of the account end; the caller establishes a new one for this browser. A
 * wrong current password counts as a failed sign-in.
 * @returns the step for `establishSession`, which stores the new password
 * @throws AppError `invalid_request` naming `currentPassword`, `rate_limited`, `forbidden` (`verification_required`) for an account with a
 *   second factor; `unauthorized` if the session has ended in the meantime, also in the step
 */
export async function changeOwnPassword(
  db: Database,
  ports: Ports,
  actor: Actor,
  { currentPassword, newPassword, deviceToken }: ChangePasswordInput,
): Promise<SignInStep<VerifiedAccount>> {
  await assertSecondFactorVerified(db.read, ports, actor)
  const confirm = await reauthenticate(db, ports, actor, {
    field: 'currentPassword',
    password: currentPassword,
    deviceToken,
  })
  const passwordHash = await hashPassword(newPassword)
  return async (tx) => {
    // Of two concurrent changes, or a change and the end of this session, only the first takes effect.
    const { sessionId } = actor
    const factors = sessionId === null ? null : await findSessionFactors(tx, sessionId)
    if (sessionId === null || factors === null || !(await endSession(tx, actor.id, sessionId)))
      throw unauthorized('invalid_session')
    const account = await confirm(tx)
    await setPassword(tx, ports, actor, { accountId: actor.id, passwordHash })
    return { account, factors }
  }
}

/** The current password is the verification of an account without a second factor; another account must have verified that. */
async function assertSecondFactorVerified(db: Queries, ports: Ports, actor: Actor): Promise<void> {
  if ((await listSecondFactors(db, actor.id)).length > 0) await assertSessionVerified(db, ports, actor)
}
