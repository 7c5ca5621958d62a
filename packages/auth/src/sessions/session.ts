import { type AuthorizationReason, type Ports, unauthorized } from '@reeve/core'
import {
  type Database,
  insertAll,
  type Queries,
  type SessionTable,
  statement,
  type Transaction,
} from '@reeve/db'
import { generateToken, hashToken } from '../token.ts'

const DAY_MS = 24 * 3_600_000
/** A session ends this long after its last use, and this long after its beginning. */
export const SESSION_IDLE_MS = 7 * DAY_MS
export const SESSION_ABSOLUTE_MS = 30 * DAY_MS
/** The last use is written when it has moved by this much: one write a minute and session at the most. */
const LAST_SEEN_INTERVAL_MS = 60_000

const sessionByToken = statement<{ hash: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select([
      'session.id',
      'session.account_id',
      'session.last_seen_at',
      'session.expires_at',
      'account.username',
      'account.is_operator',
    ])
    .where('session.token_hash', '=', p.hash),
)
const sessionTimesById = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('session').select(['expires_at', 'last_seen_at']).where('id', '=', p.id),
)
const insertSession = statement<SessionTable>()((sql, p) => insertAll(sql, 'session', p))
const touchSession = statement<{ id: string; now: number }>({ isCommutative: true })((sql, p) =>
  sql.updateTable('session').set({ last_seen_at: p.now }).where('id', '=', p.id),
)
const deleteSession = statement<{ id: string; accountId: string }>()((sql, p) =>
  sql.deleteFrom('session').where('id', '=', p.id).where('account_id', '=', p.accountId),
)
const deleteSessionByToken = statement<{ hash: string }>()((sql, p) =>
  sql.deleteFrom('session').where('token_hash', '=', p.hash),
)
const deleteSessionsByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.deleteFrom('session').where('account_id', '=', p.accountId),
)
const deleteExpired = statement<{ expired: number; idle: number }>()((sql, p) =>
  sql
    .deleteFrom('session')
    .where((eb) => eb.or([eb('expires_at', '<', p.expired), eb('last_seen_at', '<', p.idle)])),
)

/** Who a session cookie says is there. */
export interface AuthenticatedSession {
  readonly id: string
  readonly accountId: string
  readonly username: string
  readonly isOperator: boolean
}

/**
 * The session that a cookie names.
 * @throws AppError `unauthorized`: `invalid_session` or `session_expired`
 */
export async function authenticateSession(
  db: Database,
  ports: Ports,
  token: string,
): Promise<AuthenticatedSession> {
  const row = await db.read.first(sessionByToken, { hash: hashToken(token) })
  const now = ports.now()
  const rejection: AuthorizationReason | null = !row
    ? 'invalid_session'
    : hasExpired(row, now)
      ? 'session_expired'
      : null
  if (!row || rejection) throw unauthorized(rejection ?? 'invalid_session')
  // A read goes on where nothing can be written: the last use is then merely older than it was.
  if (now - row.last_seen_at > LAST_SEEN_INTERVAL_MS) {
    await db.write((tx) => tx.run(touchSession, { id: row.id, now })).catch(() => 0)
  }
  return { id: row.id, accountId: row.account_id, username: row.username, isOperator: row.is_operator === 1 }
}

/** Whether a session that was identified before goes on. */
export async function isSessionActive(db: Queries, ports: Ports, id: string): Promise<boolean> {
  const row = await db.first(sessionTimesById, { id })
  return row !== undefined && !hasExpired(row, ports.now())
}

const hasExpired = (row: { expires_at: number; last_seen_at: number }, now: number): boolean =>
  row.expires_at <= now || row.last_seen_at + SESSION_IDLE_MS <= now

/** Begins a session. @returns the token for the cookie: it is nowhere else */
export async function createSession(
  tx: Transaction,
  ports: Ports,
  accountId: string,
  client: { ip: string; userAgent: string },
): Promise<string> {
  const token = generateToken(ports)
  const now = ports.now()
  await tx.run(insertSession, {
    id: ports.newId(),
    token_hash: hashToken(token),
    account_id: accountId,
    created_at: now,
    last_seen_at: now,
    expires_at: now + SESSION_ABSOLUTE_MS,
    address: client.ip,
    user_agent: client.userAgent.slice(0, 300),
  })
  return token
}

/** Ends one session of an account. @returns whether there was one */
export const endSession = async (tx: Transaction, accountId: string, id: string): Promise<boolean> =>
  (await tx.run(deleteSession, { id, accountId })) > 0

/** Ends the session of a token, whosever it is: a browser that signs in leaves none behind. */
export const endSessionByToken = (tx: Transaction, token: string): Promise<number> =>
  tx.run(deleteSessionByToken, { hash: hashToken(token) })

/** Ends every session of an account. */
export const endAccountSessions = (tx: Transaction, accountId: string): Promise<number> =>
  tx.run(deleteSessionsByAccount, { accountId })

/** Deletes sessions that ended long enough ago that nobody will ask why. */
export const deleteExpiredSessions = async (db: Database, ports: Ports): Promise<void> => {
  const now = ports.now()
  await db.write((tx) =>
    tx.run(deleteExpired, { expired: now - 30 * DAY_MS, idle: now - SESSION_IDLE_MS - 30 * DAY_MS }),
  )
}
