import { AppError, formatRetryAfter, MINUTE_MS, normalizeName, type Ports } from '@reeve/core'
import {
  type Database,
  deleteInSlices,
  insertAll,
  type SignInAttemptTable,
  statement,
  type Transaction,
} from '@reeve/db'
import { toIpNetwork } from './ip-address.ts'

/** Attempts in this sliding window count. */
const WINDOW_MS = 15 * MINUTE_MS
const MAX_FAILURES_PER_USER_AND_IP = 10
const MAX_FAILURES_PER_IP = 50

/**
 * Every attempt costs a hash, a successful one too. These limits include successful attempts: far more than a person needs,
 * and enough for everyone behind one IP address.
 */
const MAX_ATTEMPTS_PER_USER_AND_IP = 30
const MAX_ATTEMPTS_PER_IP = 300
const MAX_ATTEMPTS_PER_CREDENTIAL = 20

interface ThrottleKey {
  readonly usernameKey: string
  readonly ip: string
}

/** The newest attempts of a username and IP address; failures, or also those that succeeded. */
const latestByUserAndIp = statement<ThrottleKey & { since: number; hasSucceeded: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('sign_in_attempt')
      .select('at')
      .where('username_key', '=', p.usernameKey)
      .where('address', '=', p.ip)
      .where('at', '>', p.since)
      .where('has_succeeded', '<=', p.hasSucceeded)
      .orderBy('at', 'desc')
      .limit(p.limit),
)
const latestByIp = statement<{ ip: string; since: number; hasSucceeded: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('sign_in_attempt')
    .select('at')
    .where('address', '=', p.ip)
    .where('at', '>', p.since)
    .where('has_succeeded', '<=', p.hasSucceeded)
    .orderBy('at', 'desc')
    .limit(p.limit),
)
const latestByCredential = statement<{ credential: string; since: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('sign_in_attempt')
    .select('at')
    .where('credential', '=', p.credential)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(p.limit),
)
const insertAttempt = statement<SignInAttemptTable>()((sql, p) => insertAll(sql, 'sign_in_attempt', p))
const updateSucceeded = statement<ThrottleKey>()((sql, p) =>
  sql
    .updateTable('sign_in_attempt')
    .set({ has_succeeded: 1 })
    .where('username_key', '=', p.usernameKey)
    .where('address', '=', p.ip)
    .where('has_succeeded', '=', 0),
)
const deleteFailures = statement<ThrottleKey>()((sql, p) =>
  sql
    .deleteFrom('sign_in_attempt')
    .where('username_key', '=', p.usernameKey)
    .where('address', '=', p.ip)
    .where('credential', '=', '')
    .where('has_succeeded', '=', 0),
)
const deleteExpired = statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .deleteFrom('sign_in_attempt')
    .where('id', 'in', (eb) =>
      eb.selectFrom('sign_in_attempt').select('id').where('at', '<=', p.before).orderBy('at').limit(p.limit),
    ),
)

/** An attempt to present a secret: a password, a setup code or an invitation token. */
export interface LoginAttempt {
  /** The username as entered; empty for a secret that belongs to no account. */
  readonly username: string
  readonly ip: string
  /** What the caller already has, and what attempts are counted by as well: a session id or the hash of an invitation token. */
  readonly credential?: string | null
}

const toThrottleKey = ({ username, ip }: LoginAttempt): ThrottleKey => ({
  usernameKey: normalizeName(username),
  ip: toIpNetwork(ip),
})

/**
 * Records an attempt as failed before the secret is verified, so that concurrent attempts cannot exceed the limits.
 * `markAttemptsSucceeded` changes that after a success.
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function recordFailedAttempt(db: Database, ports: Ports, attempt: LoginAttempt): Promise<void> {
  const key = toThrottleKey(attempt)
  const credential = attempt.credential ?? ''
  await db.write(async (tx) => {
    const now = ports.now()
    await assertUnderLimits(tx, { ...key, credential }, now)
    await tx.run(insertAttempt, {
      id: ports.newId(),
      username_key: key.usernameKey,
      address: key.ip,
      credential,
      has_succeeded: 0,
      at: now,
    })
  })
}

async function assertUnderLimits(
  tx: Transaction,
  { usernameKey, ip, credential }: ThrottleKey & { readonly credential: string },
  now: number,
): Promise<void> {
  const since = now - WINDOW_MS
  const failures = { since, hasSucceeded: 0 }
  const attempts = { since, hasSucceeded: 1 }
  const assertFew = (latest: readonly { at: number }[], limit: number, counted: string) =>
    assertUnderLimit(latest, limit, now, counted)
  const byUserAndIp = (counted: typeof failures, limit: number) =>
    tx.all(latestByUserAndIp, { usernameKey, ip, ...counted, limit })
  const byIp = (counted: typeof failures, limit: number) => tx.all(latestByIp, { ip, ...counted, limit })

  assertFew(
    await byUserAndIp(failures, MAX_FAILURES_PER_USER_AND_IP),
    MAX_FAILURES_PER_USER_AND_IP,
    'failed attempts',
  )
  assertFew(await byIp(failures, MAX_FAILURES_PER_IP), MAX_FAILURES_PER_IP, 'failed attempts')
  assertFew(await byIp(attempts, MAX_ATTEMPTS_PER_IP), MAX_ATTEMPTS_PER_IP, 'attempts')
  // Everyone with an invitation link has the same empty username.
  if (usernameKey !== '') {
    const latest = await byUserAndIp(attempts, MAX_ATTEMPTS_PER_USER_AND_IP)
    assertFew(latest, MAX_ATTEMPTS_PER_USER_AND_IP, 'attempts')
  }
  if (credential !== '') {
    const latest = await tx.all(latestByCredential, { credential, since, limit: MAX_ATTEMPTS_PER_CREDENTIAL })
    assertFew(latest, MAX_ATTEMPTS_PER_CREDENTIAL, 'attempts')
  }
}

/**
 * @param latest attempts in the window, newest first
 * @param now epoch milliseconds
 * @returns whole seconds until another attempt is allowed; null if it is allowed now
 */
export function getRetryAfterSeconds(
  latest: readonly { readonly at: number }[],
  limit: number,
  now: number,
): number | null {
  const oldest = latest[limit - 1]
  return oldest ? Math.max(1, Math.ceil((oldest.at + WINDOW_MS - now) / 1000)) : null
}

function assertUnderLimit(
  latest: readonly { at: number }[],
  limit: number,
  now: number,
  counted: string,
): void {
  const seconds = getRetryAfterSeconds(latest, limit, now)
  if (seconds === null) return
  throw new AppError('rate_limited', {
    message: `Too many ${counted}. ${formatRetryAfter(seconds)}`,
    headers: { 'retry-after': String(seconds) },
  })
}

/** Clears the failures of this username and IP address, after a success. The attempts still count as attempts. */
export const markAttemptsSucceeded = async (tx: Transaction, attempt: LoginAttempt): Promise<void> => {
  await tx.run(updateSucceeded, toThrottleKey(attempt))
}

/** Deletes the failures of this IP address, after a secret was verified without a hash. */
export const deleteFailedAttempts = async (tx: Transaction, attempt: LoginAttempt): Promise<void> => {
  await tx.run(deleteFailures, toThrottleKey(attempt))
}

/** Deletes the attempts that have left the window. */
export const deleteExpiredAttempts = (db: Database, ports: Ports, signal?: AbortSignal): Promise<void> =>
  deleteInSlices(db, deleteExpired, { before: ports.now() - WINDOW_MS }, signal)
