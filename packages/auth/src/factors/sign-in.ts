import { AppError, invalidRequest } from '@reeve/core'
import { actorForAccount, assertNotDisabled, findAccount } from '../accounts/account.ts'
import { findOneTimeToken, takeOneTimeToken } from '../one-time-token.ts'
import {
  establishSession,
  type FirstFactor,
  type SignInContext,
  type SignInDependencies,
  type VerifiedAccount,
} from '../sessions/establish.ts'
import { reportSignInFailure, type SignInFailureReason, type SignInReporting } from '../sign-in-failure.ts'
import { SECOND_FACTOR_PURPOSE } from './factor.ts'
import { type PresentedFactor, type VerificationDependencies, verifySecondFactor } from './verify.ts'

/** The error for the token of a sign-in that is over. */
export const tokenExpired = (): AppError =>
  invalidRequest({ field: 'token', message: 'has expired or was already used: sign in again' })

/**
 * The second step of a sign-in: verifies a second factor and starts the session. The token of the first step is used up on success only. A
 * rejected factor is reported as a failed sign-in.
 * @param context with the anonymous caller
 * @throws AppError `invalid_request` naming `token` or the field of the factor, `rate_limited`, `unauthorized`
 */
export async function signInWithSecondFactor(
  app: VerificationDependencies & SignInDependencies & SignInReporting,
  context: SignInContext,
  { token, ...proof }: PresentedFactor & { readonly token: string },
): Promise<VerifiedAccount> {
  const { db, ports } = app
  const pending = await findOneTimeToken<FirstFactor>(db.read, ports, SECOND_FACTOR_PURPOSE, token)
  const account = pending?.accountId ? await findAccount(db.read, pending.accountId) : undefined
  if (!account) throw tokenExpired()
  try {
    const confirm = await verifySecondFactor(app, actorForAccount(context.actor, account), proof)
    return await establishSession(app, context, async (tx) => {
      const taken = await takeOneTimeToken<FirstFactor>(tx, ports, SECOND_FACTOR_PURPOSE, token)
      const current = await findAccount(tx, account.id)
      if (!taken || !current) throw tokenExpired()
      assertNotDisabled(current)
      const factor = await confirm(tx)
      return { account: current, factors: [...taken.data.factors, factor] }
    })
  } catch (error) {
    const reason = toFailureReason(error)
    if (reason !== null) await reportSignInFailure(app, context.actor, { reason, username: null, account })
    throw error
  }
}

/** Why a second factor was rejected; null for any other error. */
function toFailureReason(error: unknown): SignInFailureReason | null {
  if (!(error instanceof AppError)) return null
  if (error.code === 'rate_limited') return 'rate_limited'
  if (error.code === 'unauthorized') return 'account_disabled'
  const field = error.options.details?.[0]?.field
  return field === 'code' || field === 'recoveryCode' ? 'wrong_code' : null
}
