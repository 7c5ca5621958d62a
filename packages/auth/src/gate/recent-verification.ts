import { type Actor, forbidden, MINUTE_MS, type Ports, VERIFICATION_MINUTES } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { findVerifiedAt } from '../sessions/session.ts'
import type { Caller } from './authenticate.ts'
import type { RequestFields, Rule } from './rule.ts'

export const VERIFICATION_LIFETIME_MS = VERIFICATION_MINUTES * MINUTE_MS

/**
 * How far in the future a verification counts, because the clocks of processes differ. One further in the future was before the clock was
 * set back: it must not count for longer than it would have.
 */
const MAX_AHEAD_MS = MINUTE_MS

/**
 * @param verifiedAt when a factor of the session was last verified, and now, in epoch milliseconds
 * @throws AppError `forbidden` (`verification_required`)
 */
function assertVerifiedRecently(verifiedAt: number, now: number): void {
  const isRecent = verifiedAt + VERIFICATION_LIFETIME_MS > now && verifiedAt <= now + MAX_AHEAD_MS
  if (!isRecent) throw forbidden('verification_required')
}

/**
 * @param now epoch milliseconds
 * @throws AppError `forbidden` (`verification_required`) for a session that has to verify a factor first
 */
export function assertRecentlyVerified(
  { requiresVerification = false }: Rule,
  fields: RequestFields,
  caller: Caller,
  actor: Actor,
  now: number,
): void {
  if (caller.kind !== 'account') return
  const isRequired =
    typeof requiresVerification === 'function' ? requiresVerification(fields, actor) : requiresVerification
  if (isRequired) assertVerifiedRecently(caller.session.verifiedAt, now)
}

/**
 * Asserts that the session of an actor has verified a factor recently, for a service that decides by the rows it finds whether that is needed. API
 * keys need no verification.
 * @throws AppError `forbidden` (`verification_required`)
 */
export async function assertSessionVerified(db: Queries, ports: Ports, { sessionId }: Actor): Promise<void> {
  if (sessionId === null) return
  assertVerifiedRecently((await findVerifiedAt(db, sessionId)) ?? 0, ports.now())
}
