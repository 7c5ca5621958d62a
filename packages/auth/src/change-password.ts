import { type Actor, type Ports, unauthorized } from '@reeve/core'
import type { Database } from '@reeve/db'
import { setPassword } from './account.ts'
import { needOwnPassword } from './own-password.ts'
import { hashPassword } from './password.ts'
import { beginSession, endSession } from './session.ts'

export interface PasswordChange {
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
  input: PasswordChange,
): Promise<string> {
  const confirm = await needOwnPassword(db, ports, actor, {
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
    return beginSession(tx, ports, actor.id, { address: actor.ip, userAgent: input.userAgent })
  })
}
