import { type Actor, AppError, type Ports } from '@reeve/core'
import type { Database, Transaction } from '@reeve/db'
import { addVerifiedFactor } from '../../factors/verify-session.ts'
import { authenticateWithPasskey, type PasskeyUse } from './authenticate.ts'
import { challengePurposes, issueChallenge } from './challenge.ts'
import type { AssertionInput } from './model.ts'
import { createRequestOptions } from './options.ts'
import { findUsablePasskeys, noUsablePasskey } from './passkeys.ts'
import { assertAvailable, type RelyingParty } from './relying-party.ts'

/** How a passkey verifies the person at a session. Not a 401: the session goes on. */
const verificationUse = ({ id, sessionId }: Actor): PasskeyUse => ({
  purpose: challengePurposes.verification,
  origin: { accountId: id, subject: sessionId ?? '' },
  credential: sessionId,
  requiresUserVerification: false,
  reject: (message) => new AppError('conflict', { message }),
  report: async () => {},
})

/** Starts verifying the actor's session with one of their passkeys. @throws AppError `conflict` if there is none */
export async function startVerification(
  tx: Transaction,
  ports: Ports,
  relyingParty: RelyingParty,
  actor: Actor,
) {
  assertAvailable(relyingParty)
  const accepted = await findUsablePasskeys(tx, actor.id, relyingParty)
  if (accepted.length === 0) throw noUsablePasskey()
  const { purpose, origin } = verificationUse(actor)
  const challenge = await issueChallenge(tx, ports, purpose, origin)
  return { options: JSON.stringify(createRequestOptions(relyingParty, challenge, 'preferred', accepted)) }
}

/**
 * Verifies the actor's session with a passkey, so that sensitive actions are allowed for some minutes.
 * @returns a step for the transaction that follows
 * @throws AppError `conflict`, `rate_limited`; in the step `conflict`
 */
export async function verifySessionWithPasskey(
  db: Database,
  ports: Ports,
  relyingParty: RelyingParty,
  actor: Actor,
  input: AssertionInput,
) {
  const verify = await authenticateWithPasskey(db, ports, relyingParty, actor, input, verificationUse(actor))
  return async (tx: Transaction) => {
    await verify(tx)
    return addVerifiedFactor(tx, ports, actor, 'passkey')
  }
}
