import { type Actor, invalidRequest, type Ports, unauthorized, wire } from '@reeve/core'
import { type Queries, statement, type Transaction } from '@reeve/db'
import { VERIFICATION_LIFETIME_MS } from '../gate/recent-verification.ts'
import { reauthenticate } from '../methods/password/reauthenticate.ts'
import { findSessionFactors, markSessionVerified } from '../sessions/session.ts'
import { listSecondFactors } from './enrolled.ts'
import type { Factor } from './factor.ts'
import { type PresentedFactor, type VerificationDependencies, verifySecondFactor } from './verify.ts'

const passwordByAccount = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('account').select('password_hash').where('id', '=', p.id),
)

/** Whether an account has a password. */
export async function hasPassword(db: Queries, accountId: string): Promise<boolean> {
  const account = await db.first(passwordByAccount, { id: accountId })
  return account != null && account.password_hash !== null
}

/**
 * With which factors an account confirms sensitive actions: its second factors, and its password if it has none of them. Empty if it has
 * neither and has to sign in again.
 */
export async function listVerificationFactors(db: Queries, accountId: string): Promise<readonly Factor[]> {
  const secondFactors = await listSecondFactors(db, accountId)
  if (secondFactors.length > 0) return secondFactors
  return (await hasPassword(db, accountId)) ? ['password'] : []
}

/**
 * Verifies a factor again in a running session, after which sensitive actions need none for some minutes.
 * @returns the step for the transaction that follows
 * @throws AppError `invalid_request`, `rate_limited`; in the step also `unauthorized`
 */
export async function verifySession(
  deps: VerificationDependencies,
  actor: Actor,
  { password, ...proof }: PresentedFactor & { readonly password?: string },
): Promise<(tx: Transaction) => Promise<{ verifiedUntil: string }>> {
  const { db, ports } = deps
  if (password === undefined) {
    const confirm = await verifySecondFactor(deps, actor, proof)
    return async (tx) => addVerifiedFactor(tx, ports, actor, await confirm(tx))
  }
  await assertPasswordIsEnough(db.read, actor)
  const confirm = await reauthenticate(db, ports, actor, {
    field: 'password',
    password,
    deviceToken: proof.deviceToken,
  })
  return async (tx) => {
    await assertPasswordIsEnough(tx, actor)
    await confirm(tx)
    return addVerifiedFactor(tx, ports, actor, 'password')
  }
}

/** @throws AppError `invalid_request` naming `password` if the account has a second factor */
async function assertPasswordIsEnough(db: Queries, actor: Actor): Promise<void> {
  if ((await listSecondFactors(db, actor.id)).length === 0) return
  throw invalidRequest({ field: 'password', message: 'is not enough: use a second factor of your account' })
}

/**
 * Notes that a factor was verified in the session of the request.
 * @throws AppError `unauthorized` if the session has ended in the meantime
 */
export async function addVerifiedFactor(tx: Transaction, ports: Ports, actor: Actor, factor: Factor) {
  const verified = actor.sessionId === null ? null : await findSessionFactors(tx, actor.sessionId)
  if (actor.sessionId === null || verified === null) throw unauthorized('invalid_session')
  await markSessionVerified(tx, ports, actor.sessionId, [...new Set([...verified, factor])])
  return { verifiedUntil: wire.time.write(ports.now() + VERIFICATION_LIFETIME_MS) }
}
