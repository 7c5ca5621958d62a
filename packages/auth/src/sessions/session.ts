import { type AuthorizationReason, DAY_MS, MINUTE_MS, type Ports, unauthorized } from '@reeve/core'
import {
  type Database,
  insertAll,
  type Queries,
  runInSlices,
  type SessionTable,
  statement,
  type Transaction,
} from '@reeve/db'
import { type Factor, isFactor, isSecondFactor } from '../factors/factor.ts'
import { generateToken, hashToken } from '../token.ts'
import { recordSessionUse } from './last-use.ts'

/** A session ends this long after its last use. */
export const SESSION_IDLE_MS = 7 * DAY_MS
/** A session ends this long after it was created. */
export const SESSION_ABSOLUTE_MS = 30 * DAY_MS
/** Limits writes of the last use to one per minute and session. */
const LAST_SEEN_INTERVAL_MS = MINUTE_MS

const sessionByToken = statement<{ hash: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select([
      'session.id',
      'session.account_id',
      'session.last_seen_at',
      'session.expires_at',
      'session.verified_at',
      'session.factors',
      'account.username',
      'account.is_operator',
    ])
    .where('session.token_hash', '=', p.hash),
)
const sessionTimesById = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('session').select(['expires_at', 'last_seen_at']).where('id', '=', p.id),
)
const activeSessionsById = statement<{ ids: readonly string[]; now: number; idleSince: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('session')
      .select('id')
      .where(dialect.inList('id', p.ids))
      .where('expires_at', '>', p.now)
      .where('last_seen_at', '>', p.idleSince),
)
const insertSession = statement<SessionTable>()((sql, p) => insertAll(sql, 'session', p))
const verificationById = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('session').select(['factors', 'verified_at']).where('id', '=', p.id),
)
const updateVerified = statement<{ id: string; factors: string; now: number }>()((sql, p) =>
  sql.updateTable('session').set({ factors: p.factors, verified_at: p.now }).where('id', '=', p.id),
)
const sessionsWithFactors = statement<{ accountId: string; now: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('session')
    .select(['id', 'factors'])
    .where('account_id', '=', p.accountId)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const updateFactors = statement<{ id: string; factors: string }>()((sql, p) =>
  sql.updateTable('session').set({ factors: p.factors }).where('id', '=', p.id),
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
/** The oldest active sessions of an account, but for the newest `keep`. */
const oldestSessions = statement<{
  accountId: string
  now: number
  idleSince: number
  keep: number
  limit: number
}>()((sql, p) =>
  sql
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', p.accountId)
    .where('expires_at', '>', p.now)
    .where('last_seen_at', '>', p.idleSince)
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.keep),
)
const deleteBefore = (column: 'expires_at' | 'last_seen_at') =>
  statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
    sql
      .deleteFrom('session')
      .where('id', 'in', (eb) =>
        eb.selectFrom('session').select('id').where(column, '<', p.before).orderBy(column).limit(p.limit),
      ),
  )
// Two statements, so that each uses an index.
const deleteExpired = deleteBefore('expires_at')
const deleteIdle = deleteBefore('last_seen_at')

const parseFactors = (stored: string): readonly Factor[] => stored.split(',').filter(isFactor)

/** The session and account of a valid session cookie. */
export interface AuthenticatedSession {
  readonly id: string
  readonly accountId: string
  readonly username: string
  readonly isOperator: boolean
  /** When a factor was last verified, in epoch milliseconds. */
  readonly verifiedAt: number
  /** The factors that were verified in it. */
  readonly factors: readonly Factor[]
}

/**
 * Authenticates a session token.
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
  // A failed write must not fail the request, which may only read; the last use is then outdated.
  if (now - row.last_seen_at > LAST_SEEN_INTERVAL_MS) {
    await recordSessionUse(db, row.id, now)
  }
  return {
    id: row.id,
    accountId: row.account_id,
    username: row.username,
    isOperator: row.is_operator === 1,
    verifiedAt: row.verified_at,
    factors: parseFactors(row.factors),
  }
}

/** Whether a session that was authenticated earlier is still valid. */
export async function isSessionActive(db: Queries, ports: Ports, id: string): Promise<boolean> {
  const row = await db.first(sessionTimesById, { id })
  return row !== undefined && !hasExpired(row, ports.now())
}

/** Those of some sessions that are still valid, in one statement. */
export async function listActiveSessionIds(
  db: Queries,
  ports: Ports,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const now = ports.now()
  const rows = await db.all(activeSessionsById, { ids, now, idleSince: now - SESSION_IDLE_MS })
  return new Set(rows.map(({ id }) => id))
}

const hasExpired = (row: { expires_at: number; last_seen_at: number }, now: number): boolean =>
  row.expires_at <= now || row.last_seen_at + SESSION_IDLE_MS <= now

/**
 * Inserts a session. To sign a browser in, use `establishSession`.
 * @returns the token for the cookie; only its hash is stored
 */
export async function createSession(
  tx: Transaction,
  ports: Ports,
  accountId: string,
  client: {
    readonly ip: string
    readonly userAgent: string
    readonly factors: readonly Factor[]
    /** When they were verified, in epoch milliseconds. Default: now. */
    readonly verifiedAt?: number | undefined
  },
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
    factors: client.factors.join(),
    verified_at: Math.min(client.verifiedAt ?? now, now),
  })
  return token
}

/** The factors that were verified in a session; null if it does not exist. */
export async function findSessionFactors(db: Queries, id: string): Promise<readonly Factor[] | null> {
  const row = await db.first(verificationById, { id })
  return row ? parseFactors(row.factors) : null
}

/** When a factor of a session was last verified, in epoch milliseconds; null if it does not exist. */
export const findVerifiedAt = async (db: Queries, id: string): Promise<number | null> =>
  (await db.first(verificationById, { id }))?.verified_at ?? null

/**
 * Notes that a factor was verified in this session, after which sensitive actions need none for some minutes.
 * @param factors all that were verified in it
 */
export const markSessionVerified = async (
  tx: Transaction,
  ports: Ports,
  id: string,
  factors: readonly Factor[],
): Promise<void> => {
  await tx.run(updateVerified, { id, factors: factors.join(), now: ports.now() })
}

/** The most sessions of an account that can be in use. */
const MAX_SESSIONS_READ = 200

/** Takes the second factors from the sessions of an account that has none any more. */
export async function forgetSecondFactors(
  tx: Transaction,
  ports: Pick<Ports, 'now'>,
  accountId: string,
): Promise<void> {
  const sessions = await tx.all(sessionsWithFactors, {
    accountId,
    now: ports.now(),
    limit: MAX_SESSIONS_READ,
  })
  for (const { id, factors } of sessions) {
    const left = parseFactors(factors).filter((factor) => !isSecondFactor(factor))
    await tx.run(updateFactors, { id, factors: left.join() })
  }
}

/** Ends a session of an account. @returns whether it existed */
export const endSession = async (tx: Transaction, accountId: string, id: string): Promise<boolean> =>
  (await tx.run(deleteSession, { id, accountId })) > 0

/** Ends the session of a token, whichever account it belongs to. @returns the number of sessions ended */
export const endSessionByToken = (tx: Transaction, token: string): Promise<number> =>
  tx.run(deleteSessionByToken, { hash: hashToken(token) })

/** Ends all sessions of an account. @returns their number */
export const endAccountSessions = (tx: Transaction, accountId: string): Promise<number> =>
  tx.run(deleteSessionsByAccount, { accountId })

/** Maximum number of active sessions per account. */
const MAX_SESSIONS_PER_ACCOUNT = 50
/** The most sessions that one sign-in ends, for accounts from before the limit. */
const MAX_ENDED_AT_ONCE = 200

/**
 * Ends the oldest sessions of an account, so that it can start one more.
 * @returns their ids
 */
export async function endOldestSessions(tx: Transaction, ports: Ports, accountId: string): Promise<string[]> {
  const now = ports.now()
  const excess = await tx.all(oldestSessions, {
    accountId,
    now,
    idleSince: now - SESSION_IDLE_MS,
    keep: MAX_SESSIONS_PER_ACCOUNT - 1,
    limit: MAX_ENDED_AT_ONCE,
  })
  for (const { id } of excess) await endSession(tx, accountId, id)
  return excess.map(({ id }) => id)
}

/** How long an ended session is retained; until then, its token gets `session_expired` instead of `invalid_session`. */
const SESSION_RETENTION_MS = 30 * DAY_MS

/** Deletes sessions that ended more than 30 days ago. */
export async function deleteExpiredSessions(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  const before = ports.now() - SESSION_RETENTION_MS
  await runInSlices(db, deleteExpired, { before }, signal)
  await runInSlices(db, deleteIdle, { before: before - SESSION_IDLE_MS }, signal)
}
