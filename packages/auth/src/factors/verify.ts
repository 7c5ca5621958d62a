import { type Actor, invalidRequest, type Ports } from '@reeve/core'
import type { Database, Transaction } from '@reeve/db'
import { verifyTotp } from '../methods/totp/service.ts'
import { describeDevice } from '../sessions/device.ts'
import type { Settings } from '../settings.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../throttle/attempts.ts'
import type { SecondFactor } from './factor.ts'
import { useRecoveryCode } from './recovery-codes.ts'

/** What a request presents as a second factor: exactly one of these fields. `proofFields` reads them. */
export interface SecondFactorProof {
  readonly code?: string
  readonly recoveryCode?: string
}

/** A proof, and the browser that it comes from. */
export interface PresentedFactor extends SecondFactorProof {
  /** The token by which the browser may be known to the account; null without one. */
  readonly deviceToken: string | null
}

export interface VerificationDependencies {
  readonly db: Database
  readonly ports: Ports
  readonly settings: Settings
}

/** Confirms a proof inside the transaction that uses it, and uses it up. @throws AppError `invalid_request` naming its field */
export type FactorStep = (tx: Transaction) => Promise<SecondFactor>

/**
 * How each field is verified. Slow work is done before the step is returned; what must happen once is done in the step.
 * @param actor the account that presents it
 */
type Verifier = (deps: VerificationDependencies, actor: Actor, value: string) => Promise<FactorStep>

/** Passkeys need a challenge first, so they have routes of their own: `methods/passkey/`. */
const verifiers: Readonly<Record<keyof SecondFactorProof, Verifier>> = {
  code:
    async ({ ports }, actor, code) =>
    async (tx) => {
      await verifyTotp(tx, ports, actor.id, code)
      return 'totp'
    },
  recoveryCode:
    async ({ ports }, actor, code) =>
    async (tx) => {
      await useRecoveryCode(tx, ports, actor, code)
      return 'recovery_code'
    },
}

const proofNames = Object.keys(verifiers) as (keyof SecondFactorProof)[]

/** @throws AppError `invalid_request` unless exactly one of the fields is present */
function requireOneField<const Name extends string>(
  input: { readonly [Field in Name]?: string | undefined },
  names: readonly Name[],
): { readonly name: Name; readonly value: string } {
  const present = names.flatMap((name) => {
    const value = input[name]
    return value === undefined ? [] : [{ name, value }]
  })
  const [first, second] = present
  if (first && !second) return first
  throw invalidRequest({
    field: second?.name ?? names[0] ?? '',
    message: second
      ? `contradicts ${first?.name}: send one of them`
      : `is required, or one of: ${names.slice(1).join(', ')}`,
  })
}

/**
 * Verifies a second factor. Failures count as failed sign-ins, and attempts are limited per account, whatever sign-in, session or IP
 * address they come from: a code of six digits could be guessed otherwise. A browser in which the account has signed in has a limit of its
 * own, so that somebody who knows the password cannot keep the account out. Wrong passwords do not count.
 * @param actor the account that presents it
 * @returns the step for the transaction that follows
 * @throws AppError `invalid_request`, `rate_limited`
 */
export async function verifySecondFactor(
  deps: VerificationDependencies,
  actor: Actor,
  { deviceToken, ...proof }: PresentedFactor,
): Promise<FactorStep> {
  const { name, value } = requireOneField(proof, proofNames)
  const device = await describeDevice(deps.db.read, deps.ports, actor.id, deviceToken)
  const credential = `second_factor:${device.credential ?? actor.id}`
  const attempt = { username: actor.name, ip: actor.ip, ...device, credential, isSecondFactor: true }
  await recordFailedAttempt(deps.db, deps.ports, attempt)
  const confirm = await verifiers[name](deps, actor, value)
  return async (tx) => {
    const factor = await confirm(tx)
    await markAttemptsSucceeded(tx, attempt)
    return factor
  }
}
