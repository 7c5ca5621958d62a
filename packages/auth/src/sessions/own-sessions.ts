import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, MAX_ID, type Ports, paginate, parsePage } from '@reeve/core'
import { type Queries, statement, type Transaction } from '@reeve/db'
import { presentSession, type SessionsQueryInput } from './model.ts'
import { endSession, SESSION_IDLE_MS } from './session.ts'

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

/** A page of the actor's active sessions, newest first. */
export async function listOwnSessions(db: Queries, ports: Ports, actor: Actor, input: SessionsQueryInput) {
  const page = parsePage(LIST, input, ['string'])
  const now = ports.now()
  const results = await db.all(activeSessions, {
    accountId: actor.id,
    now,
    idleSince: now - SESSION_IDLE_MS,
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  return { sessions: rows.map((row) => presentSession(row, actor.sessionId)), nextCursor }
}

/**
 * Ends one of the actor's own sessions.
 * @throws AppError `not_found`, also for another account's session
 */
export async function endOwnSession(tx: Transaction, ports: Ports, actor: Actor, id: string) {
  if (!(await endSession(tx, actor.id, id))) throw new AppError('not_found')
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.end_session',
    target: { kind: 'session', id },
    chain: INSTANCE_CHAIN,
  })
  return { id }
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
