import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { AccountTable, Database, Transaction } from '@reeve/db'
import { accountNamed } from './account.ts'
import { isPassword } from './password.ts'
import { beginSession, endSession, endSessionOfToken } from './session.ts'
import { forgive, takeAttempt } from './throttle.ts'

export interface SignIn {
  readonly username: string
  readonly password: string
  /** The session that the browser came with; it ends. */
  readonly presented: string | undefined
  readonly userAgent: string
}

/** The one answer to a wrong name and to a wrong password. */
const wrong = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'The username or the password is wrong.',
  })

/** Told to whoever has the right password, and to nobody else. */
const disabled = () =>
  new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'This account is disabled; ask whoever runs this instance.',
  })

/** Someone not yet signed in, as the account they have shown to be. */
export const asAccount = (actor: Actor, account: Pick<AccountTable, 'id' | 'username'>): Actor => ({
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
  input: SignIn,
): Promise<{ account: AccountTable; token: string }> {
  const guess = { name: input.username, address: actor.ip }
  await takeAttempt(db, ports, guess)
  const account = await accountNamed(db.read, input.username)
  const right = await isPassword(input.password, account?.password_hash ?? null)
  if (!account || !right) throw wrong()
  return db.write(async (tx) => {
    // The password may have been changed while this one was being checked.
    const present = await accountNamed(tx, input.username)
    if (present?.password_hash !== account.password_hash) throw wrong()
    if (present.disabled_at !== null) throw disabled()
    await forgive(tx, guess)
    if (input.presented) await endSessionOfToken(tx, input.presented)
    const token = await beginSession(tx, ports, account.id, {
      address: actor.ip,
      userAgent: input.userAgent,
    })
    await appendAuditEntry(tx, ports, asAccount(actor, account), {
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
