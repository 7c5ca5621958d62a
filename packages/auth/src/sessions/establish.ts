import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, MINUTE_MS } from '@reeve/core'
import type { AccountTable, Transaction } from '@reeve/db'
import { actorForAccount } from '../accounts/account.ts'
import type { AppContext } from '../context.ts'
import { listSecondFactors } from '../factors/enrolled.ts'
import {
  areMultipleFactors,
  type Factor,
  SECOND_FACTOR_PURPOSE,
  type SecondFactor,
} from '../factors/factor.ts'
import { queueNotice } from '../mail/notice.ts'
import { issueOneTimeToken } from '../one-time-token.ts'
import { readDeviceToken, readSessionToken, setSignInCookies } from './cookie.ts'
import { rememberDevice } from './device.ts'
import { createSession, endOldestSessions, endSessionByToken } from './session.ts'

/** What a sign-in step yields. */
export interface VerifiedAccount {
  readonly account: AccountTable
  /** The factors that were verified. */
  readonly factors: readonly Factor[]
  /** When, in epoch milliseconds. Default: now. */
  readonly verifiedAt?: number | undefined
}

/**
 * What a sign-in method returns once it has verified a credential: a step that confirms the result inside the transaction
 * and yields the account. Slow work, such as hashing, is done before.
 */
export type SignInStep<Result extends VerifiedAccount> = (tx: Transaction) => Promise<Result>

/** The parts of an HTTP request and its response that a sign-in uses. */
export interface SignInContext {
  readonly actor: Actor
  readonly request: Request
  readonly set: { readonly headers: Record<string, unknown> }
}

export type SignInDependencies = Pick<AppContext, 'db' | 'ports' | 'settings' | 'isHttps' | 'onSignIn'>

/** How long the second factor may take. */
const SECOND_FACTOR_LIFETIME_MS = 10 * MINUTE_MS

/** What the token of `SECOND_FACTOR_PURPOSE` stands for. */
export interface FirstFactor {
  readonly factors: readonly Factor[]
}

/** A sign-in that still needs a second factor. */
export interface PendingSignIn {
  /** Names the sign-in in the request with the second factor. */
  readonly token: string
  readonly factors: readonly SecondFactor[]
}

export type SignInOutcome<Result extends VerifiedAccount> =
  | { readonly result: Result; readonly pending: null }
  | { readonly result: Result; readonly pending: PendingSignIn }

/**
 * Signs a browser in with a first factor. An account that has a second factor gets a token for the request with the second one instead of
 * a session.
 * @throws AppError whatever the step throws; nothing is changed and no cookie is set then
 */
export async function startSignIn<Result extends VerifiedAccount>(
  deps: SignInDependencies,
  context: SignInContext,
  signIn: SignInStep<Result>,
): Promise<SignInOutcome<Result>> {
  const { db, ports } = deps
  const { result, tokens, pending } = await db.write(async (tx) => {
    const result = await signIn(tx)
    const { account, factors } = result
    const secondFactors = areMultipleFactors(factors) ? [] : await listSecondFactors(tx, account.id)
    if (secondFactors.length === 0)
      return { result, tokens: await replaceSession(tx, deps, context, result), pending: null }
    const token = await issueOneTimeToken<FirstFactor>(tx, ports, {
      purpose: SECOND_FACTOR_PURPOSE,
      accountId: account.id,
      data: { factors },
      lifetimeMs: SECOND_FACTOR_LIFETIME_MS,
    })
    return { result, tokens: null, pending: { token, factors: secondFactors } }
  })
  if (tokens === null) return { result, pending }
  deps.onSignIn()
  setSignInCookies(context.set, deps.isHttps(context.request), tokens)
  return { result, pending: null }
}

/**
 * Signs a browser in for which nothing remains to be verified: runs the step and replaces the session, all in one transaction, and then sets
 * the cookies. Besides `startSignIn`, the only way to start a session over HTTP.
 * @returns what the step yields
 * @throws AppError whatever the step throws; nothing is changed and no cookie is set then
 */
export async function establishSession<Result extends VerifiedAccount>(
  deps: SignInDependencies,
  context: SignInContext,
  signIn: SignInStep<Result>,
): Promise<Result> {
  const { result, tokens } = await deps.db.write(async (tx) => {
    const result = await signIn(tx)
    return { result, tokens: await replaceSession(tx, deps, context, result) }
  })
  deps.onSignIn()
  setSignInCookies(context.set, deps.isHttps(context.request), tokens)
  return result
}

/**
 * Ends the session that the browser presented and the oldest beyond the limit, creates a new one, remembers the browser, and writes
 * `accounts.sign_in` to the audit log.
 * @returns the tokens for the cookies
 */
async function replaceSession(
  tx: Transaction,
  { ports, settings }: SignInDependencies,
  { actor, request }: SignInContext,
  { account, factors, verifiedAt }: VerifiedAccount,
): Promise<{ readonly session: string; readonly device: string }> {
  const presentedToken = readSessionToken(request, settings.publicUrl)
  if (presentedToken !== null) await endSessionByToken(tx, presentedToken)
  const endedIds = await endOldestSessions(tx, ports, account.id)
  const client = { ip: actor.ip, userAgent: request.headers.get('user-agent') ?? '' }
  const session = await createSession(tx, ports, account.id, { ...client, factors, verifiedAt })
  const device = await rememberDevice(tx, ports, account.id, readDeviceToken(request, settings.publicUrl))
  const accountActor = actorForAccount(actor, account)
  for (const id of endedIds) {
    await appendAuditEntry(tx, ports, accountActor, {
      action: 'accounts.end_session',
      target: { kind: 'session', id },
      chain: INSTANCE_CHAIN,
    })
  }
  await appendAuditEntry(tx, ports, accountActor, {
    action: 'accounts.sign_in',
    target: { kind: 'account', id: account.id },
    after: { factors, isNewDevice: device.isNew },
    chain: INSTANCE_CHAIN,
  })
  if (device.isNew) await queueNotice(tx, ports, account.id, { event: 'new_device', ...client })
  return { session, device: device.token }
}
