import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import type { Actor } from '@reeve/core'
import type { AccountTable, Transaction } from '@reeve/db'
import { actorForAccount } from '../accounts/account.ts'
import type { AppContext } from '../context.ts'
import { getSessionCookieName, readSessionToken, setSessionCookie } from './cookie.ts'
import { createSession, endOldestSessions, endSessionByToken } from './session.ts'

/**
 * What a sign-in method returns once it has verified a credential: a step that confirms the result inside the transaction
 * and yields the account. Slow work, such as hashing, is done before.
 */
export type SignInStep<Result extends { readonly account: AccountTable }> = (
  tx: Transaction,
) => Promise<Result>

/** The parts of an HTTP request and its response that a sign-in uses. */
export interface SignInContext {
  readonly actor: Actor
  readonly request: Request
  readonly set: { readonly headers: Record<string, unknown> }
}

/**
 * Signs a browser in: runs the step, ends the session that the browser presented and the oldest beyond the limit, creates a new
 * one, writes `accounts.sign_in` to the audit log, all in one transaction, and then sets the session cookie. The only way to start a
 * session over HTTP.
 * @returns what the step yields
 * @throws AppError whatever the step throws; nothing is changed and no cookie is set then
 */
export async function establishSession<Result extends { readonly account: AccountTable }>(
  { db, ports, settings }: Pick<AppContext, 'db' | 'ports' | 'settings'>,
  { actor, request, set }: SignInContext,
  signIn: SignInStep<Result>,
): Promise<Result> {
  const presentedToken = readSessionToken(request, getSessionCookieName(settings.publicUrl))
  const { result, token } = await db.write(async (tx) => {
    const result = await signIn(tx)
    const { account } = result
    if (presentedToken !== null) await endSessionByToken(tx, presentedToken)
    const endedIds = await endOldestSessions(tx, ports, account.id)
    const token = await createSession(tx, ports, account.id, {
      ip: actor.ip,
      userAgent: request.headers.get('user-agent') ?? '',
    })
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
      chain: INSTANCE_CHAIN,
    })
    return { result, token }
  })
  setSessionCookie(set, settings.publicUrl, token)
  return result
}
