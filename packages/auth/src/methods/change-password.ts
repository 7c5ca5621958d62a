import { type Actor, type Ports, unauthorized } from '@reeve/core'
import type { Database } from '@reeve/db'
import { setPassword } from '../accounts/account.ts'
import { createSession, endSession } from '../sessions/session.ts'
import { hashPassword } from './password-hash.ts'
import { reauthenticate } from './reauthenticate.ts'

export interface ChangePasswordInput {
  readonly currentPassword: string
  readonly newPassword: string
  readonly userAgent: string
}

/**
 * Changes the actor's own password: every session ends, and the one that asked gets a new token. A wrong current password
 * counts as a failed sign-in.
 * @returns the new token
 * @throws AppError `invalid_request` naming `currentPassword`, `rate_limited`
 */
export async function changeOwnPassword(
  db: Database,
  ports: Ports,
  actor: Actor,
  input: ChangePasswordInput,
): Promise<string> {
  const confirm = await reauthenticate(db, ports, actor, {
    field: 'currentPassword',
    password: input.currentPassword,
  })
  const passwordHash = await hashPassword(input.newPassword)
  return db.write(async (tx) => {
    // Of two changes at once, or of a change and an end of this session from elsewhere, the first one holds.
    if (actor.sessionId === null || !(await endSession(tx, actor.id, actor.sessionId)))
      throw unauthorized('invalid_session')
    await confirm(tx)
    await setPassword(tx, ports, actor, { accountId: actor.id, passwordHash })
    return createSession(tx, ports, actor.id, { ip: actor.ip, userAgent: input.userAgent })
  })
}
