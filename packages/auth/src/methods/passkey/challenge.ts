import { MINUTE_MS, type Ports } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { issueOneTimeToken, type OneTimeToken, takeOneTimeToken } from '../../one-time-token.ts'

/** What a challenge is for; a response to it is accepted for nothing else. */
export const challengePurposes = {
  registration: 'passkey_registration',
  signIn: 'passkey_sign_in',
  secondFactor: 'passkey_second_factor',
  verification: 'passkey_verification',
} as const
export type ChallengePurpose = (typeof challengePurposes)[keyof typeof challengePurposes]

/** How long a browser may take to respond to a challenge. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS

/** The request that a challenge belongs to, besides its purpose. */
export interface ChallengeOrigin {
  /** The account that must respond; null if any may. */
  readonly accountId: string | null
  /** The session or the pending sign-in that asked; empty for none. */
  readonly subject: string
}

/** Issues a challenge of 256 random bits, in base64url. It works once, for `CHALLENGE_LIFETIME_MS`. */
export const issueChallenge = (
  tx: Transaction,
  ports: Ports,
  purpose: ChallengePurpose,
  { accountId, subject }: ChallengeOrigin,
): Promise<string> =>
  issueOneTimeToken(tx, ports, { purpose, accountId, data: { subject }, lifetimeMs: CHALLENGE_LIFETIME_MS })

/** Uses a challenge up. @returns whether it was issued for this and has not been used */
export async function takeChallenge(
  tx: Transaction,
  ports: Ports,
  purpose: ChallengePurpose,
  challenge: string,
  { accountId, subject }: ChallengeOrigin,
): Promise<boolean> {
  const token: OneTimeToken<{ subject: string }> | null = await takeOneTimeToken(
    tx,
    ports,
    purpose,
    challenge,
  )
  return token !== null && token.accountId === accountId && token.data.subject === subject
}

/** The challenge that a browser responded to; null if `clientDataJSON` is not readable. */
export function readChallenge(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    const challenge = (data as { challenge?: unknown } | null)?.challenge
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
