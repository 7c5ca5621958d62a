import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, MINUTE_MS, PASSWORD_LINK_MINUTES, type Ports, wire } from '@reeve/core'
import type { AccountTable, Database, Queries, Transaction } from '@reeve/db'
import { assertNotDisabled, findAccount, PASSWORD_LINK_PURPOSE, setPassword } from '../../accounts/account.ts'
import { queueNotice } from '../../mail/notice.ts'
import {
  findOneTimeToken,
  issueOneTimeToken,
  revokeOneTimeTokens,
  takeOneTimeToken,
} from '../../one-time-token.ts'
import { forgetDevices } from '../../sessions/device.ts'
import type { SignInStep, VerifiedAccount } from '../../sessions/establish.ts'
import {
  deleteFailedAttempts,
  type LoginAttempt,
  markAttemptsSucceeded,
  recordFailedAttempt,
} from '../../throttle/attempts.ts'
import { hashToken } from '../../token.ts'
import { hashPassword } from './hash.ts'

export const PASSWORD_LINK_LIFETIME_MS = PASSWORD_LINK_MINUTES * MINUTE_MS

const linkNotFound = () =>
  new AppError('not_found', {
    message: 'This link has expired, was already used, or was replaced by a newer one. Ask for a new one.',
  })

/**
 * Creates a link with which the owner of an account sets a new password. It replaces earlier links of the account and bypasses no
 * second factor. The owner is notified.
 * @returns the token, which is not stored, and when it expires
 * @throws AppError `not_found`, `conflict` for a disabled account
 */
export async function createPasswordLink(tx: Transaction, ports: Ports, actor: Actor, accountId: string) {
  const account = await findAccount(tx, accountId)
  if (!account) throw new AppError('not_found', { message: 'This account does not exist.' })
  if (account.disabled_at !== null)
    throw new AppError('conflict', { message: 'This account is disabled. Enable it first.' })
  await revokeOneTimeTokens(tx, accountId, PASSWORD_LINK_PURPOSE)
  const link = await issuePasswordLink(tx, ports, actor, accountId)
  await queueNotice(tx, ports, accountId, { event: 'link_created' })
  return link
}

/** Creates a link beside those that the account has. @returns the token, which is not stored, and when it expires */
export async function issuePasswordLink(tx: Transaction, ports: Ports, actor: Actor, accountId: string) {
  const token = await issueOneTimeToken(tx, ports, {
    purpose: PASSWORD_LINK_PURPOSE,
    accountId,
    data: {},
    lifetimeMs: PASSWORD_LINK_LIFETIME_MS,
  })
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.create_password_link',
    target: { kind: 'account', id: accountId },
    chain: INSTANCE_CHAIN,
  })
  return { token, expiresAt: wire.time.write(ports.now() + PASSWORD_LINK_LIFETIME_MS) }
}

/** A token belongs to an account that the caller does not name, so attempts are limited by IP address. */
const toLoginAttempt = (actor: Actor): LoginAttempt => ({ username: '', ip: actor.ip })

async function requireAccount(db: Queries, ports: Ports, token: string): Promise<AccountTable> {
  const found = await findOneTimeToken(db, ports, PASSWORD_LINK_PURPOSE, token)
  const account = found?.accountId ? await findAccount(db, found.accountId) : undefined
  if (!account || account.disabled_at !== null) throw linkNotFound()
  return account
}

/**
 * Reads whose password a link sets. An unusable token counts as a failed sign-in.
 * @param actor the anonymous caller, with IP address
 * @throws AppError `not_found`, `rate_limited`
 */
export async function readPasswordLink(db: Database, ports: Ports, actor: Actor, token: string) {
  const attempt = toLoginAttempt(actor)
  await recordFailedAttempt(db, ports, attempt)
  const { username } = await requireAccount(db.read, ports, token)
  await db.write((tx) => deleteFailedAttempts(tx, attempt))
  return { username }
}

/**
 * Sets the password of the account that a link was created for, and uses the link up. All sessions of the account end, and every
 * browser counts as new.
 * @param actor the anonymous caller, with IP address and request id
 * @returns the step for `startSignIn`, which still asks for a second factor
 * @throws AppError `not_found`, `rate_limited`, `unavailable`; in the step `not_found`
 */
export async function setPasswordWithLink(
  db: Database,
  ports: Ports,
  actor: Actor,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<SignInStep<VerifiedAccount>> {
  // Each attempt costs a hash, so attempts are counted by link as well.
  const attempt = { ...toLoginAttempt(actor), credential: hashToken(token) }
  await recordFailedAttempt(db, ports, attempt)
  await requireAccount(db.read, ports, token)
  await db.write((tx) => markAttemptsSucceeded(tx, attempt))
  const passwordHash = await hashPassword(password)
  return async (tx) => {
    const taken = await takeOneTimeToken(tx, ports, PASSWORD_LINK_PURPOSE, token)
    const account = taken?.accountId ? await findAccount(tx, taken.accountId) : undefined
    if (!account) throw linkNotFound()
    assertNotDisabled(account)
    await setPassword(
      tx,
      ports,
      { ...actor, kind: 'account', id: account.id, name: account.username },
      {
        accountId: account.id,
        passwordHash,
      },
    )
    await forgetDevices(tx, account.id)
    return { account: { ...account, password_hash: passwordHash }, factors: ['password'] }
  }
}
