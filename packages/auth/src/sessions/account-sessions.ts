import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, MAX_ID, type Ports, paginate, parsePage } from '@reeve/core'
import { type Queries, statement, type Transaction } from '@reeve/db'
import { presentSession, type SessionsQueryInput } from './model.ts'
import { endAccountSessions, endSession, SESSION_IDLE_MS } from './session.ts'

const activeSessions = statement<{
  accountId: string
  now: number
  idleSince: number
  before: string
  limit: number
}>()((sql, p) =>
  sql
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', p.accountId)
    .where('expires_at', '>', p.now)
    .where('last_seen_at', '>', p.idleSince)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

const LIST = 'sessions'

/**
 * A page of an account's active sessions, newest first.
 * @param owner the account, and the session of the request if it is one of them
 */
export async function listSessions(
  db: Queries,
  ports: Ports,
  owner: Pick<Actor, 'id' | 'sessionId'>,
  input: SessionsQueryInput,
) {
  const page = parsePage(LIST, input, ['string'])
  const now = ports.now()
  const results = await db.all(activeSessions, {
    accountId: owner.id,
    now,
    idleSince: now - SESSION_IDLE_MS,
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  return { sessions: rows.map((row) => presentSession(row, owner.sessionId)), nextCursor }
}

/**
 * Ends a session of an account, the actor's own by default.
 * @throws AppError `not_found`, also for another account's session
 */
export async function endSessionById(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  id: string,
  accountId: string = actor.id,
) {
  if (!(await endSession(tx, accountId, id))) throw new AppError('not_found')
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.end_session',
    ...(accountId === actor.id
      ? { target: { kind: 'session', id } }
      : // Only the target tells whose session it was.
        { target: { kind: 'account', id: accountId }, before: { sessionId: id } }),
    chain: INSTANCE_CHAIN,
  })
  return { id }
}

/** Ends all sessions of an account. @returns their number, sessions that had expired included */
export async function endAllSessions(tx: Transaction, ports: Ports, actor: Actor, accountId: string) {
  const ended = await endAccountSessions(tx, accountId)
  if (ended > 0) {
    await appendAuditEntry(tx, ports, actor, {
      action: 'accounts.end_sessions',
      target: { kind: 'account', id: accountId },
      chain: INSTANCE_CHAIN,
    })
  }
  return { ended }
}

/** Ends the session of the request; does nothing if it has already ended. */
export async function signOut(tx: Transaction, ports: Ports, actor: Actor): Promise<void> {
  if (actor.sessionId === null || !(await endSession(tx, actor.id, actor.sessionId))) return
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.sign_out',
    target: { kind: 'account', id: actor.id },
    chain: INSTANCE_CHAIN,
  })
}
