import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { AccountTable, Database, Transaction } from '@reeve/db'
import { findAccountByUsername } from '../accounts/account.ts'
import { createSession, endSession, endSessionByToken } from '../sessions/session.ts'
import { clearFailedAttempts, recordFailedAttempt } from '../throttle.ts'
import { verifyPassword } from './password-hash.ts'

export interface SignInInput {
  readonly username: string
  readonly password: string
  /** The session that the browser came with; it ends. */
  readonly previousSessionToken: string | undefined
  readonly userAgent: string
}

/** The one answer to a wrong name and to a wrong password. */
const invalidCredentials = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'The username or the password is wrong.',
  })

/** Told to whoever has the right password, and to nobody else. */
const accountDisabled = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'This account is disabled; ask whoever runs this instance.',
  })

/** Someone not yet signed in, as the account they have shown to be. */
export const actorForAccount = (actor: Actor, account: Pick<AccountTable, 'id' | 'username'>): Actor => ({
  ...actor,
  kind: 'account',
  id: account.id,
  name: account.username,
})

/**
 * Signs in. An unknown name costs and answers what a wrong password does.
 * @param actor nobody yet, with an address and a request id
 * @returns the account and the token of its new session
 * @throws AppError `unauthorized`, `rate_limited`
 */
export async function signIn(
  db: Database,
  ports: Ports,
  actor: Actor,
  input: SignInInput,
): Promise<{ account: AccountTable; token: string }> {
  const attempt = { username: input.username, ip: actor.ip }
  await recordFailedAttempt(db, ports, attempt)
  const account = await findAccountByUsername(db.read, input.username)
  const matches = await verifyPassword(input.password, account?.password_hash ?? null)
  if (!account || !matches) throw invalidCredentials()
  return db.write(async (tx) => {
    // The password may have been changed while this one was being checked.
    const current = await findAccountByUsername(tx, input.username)
    if (current?.password_hash !== account.password_hash) throw invalidCredentials()
    if (current.disabled_at !== null) throw accountDisabled()
    await clearFailedAttempts(tx, attempt)
    if (input.previousSessionToken) await endSessionByToken(tx, input.previousSessionToken)
    const token = await createSession(tx, ports, account.id, {
      ip: actor.ip,
      userAgent: input.userAgent,
    })
    await appendAuditEntry(tx, ports, actorForAccount(actor, account), {
      action: 'accounts.sign_in',
      target: { kind: 'account', id: account.id },
      chain: INSTANCE_CHAIN,
    })
    return { account, token }
  })
}

/** Ends the session the actor came with. */
export async function signOut(tx: Transaction, ports: Ports, actor: Actor): Promise<void> {
  if (actor.sessionId === null || !(await endSession(tx, actor.id, actor.sessionId))) return
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.sign_out',
    target: { kind: 'account', id: actor.id },
    chain: INSTANCE_CHAIN,
  })
}
