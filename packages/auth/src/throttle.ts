import { AppError, MINUTE_MS, normalizeName, type Ports } from '@reeve/core'
import { type Database, insertAll, type SignInFailureTable, statement, type Transaction } from '@reeve/db'
import { toIpNetwork } from './ip-address.ts'

/** Failures in this sliding window count. */
const WINDOW_MS = 15 * MINUTE_MS
const MAX_FAILURES_PER_USER_AND_IP = 10
const MAX_FAILURES_PER_IP = 50

interface ThrottleKey {
  readonly usernameKey: string
  readonly ip: string
}

const latestByUserAndIp = statement<ThrottleKey & { since: number }>()((sql, p) =>
  sql
    .selectFrom('sign_in_failure')
    .select('at')
    .where('username_key', '=', p.usernameKey)
    .where('address', '=', p.ip)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(MAX_FAILURES_PER_USER_AND_IP),
)
const latestByIp = statement<{ ip: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('sign_in_failure')
    .select('at')
    .where('address', '=', p.ip)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(MAX_FAILURES_PER_IP),
)
const insertFailure = statement<SignInFailureTable>()((sql, p) => insertAll(sql, 'sign_in_failure', p))
const deleteByUserAndIp = statement<ThrottleKey>()((sql, p) =>
  sql.deleteFrom('sign_in_failure').where('username_key', '=', p.usernameKey).where('address', '=', p.ip),
)
const deleteExpired = statement<{ before: number }>()((sql, p) =>
  sql.deleteFrom('sign_in_failure').where('at', '<=', p.before),
)

/** An attempt to present a secret: a password, a setup code or an invitation token. */
export interface LoginAttempt {
  /** The username as entered; empty for a secret that belongs to no account. */
  readonly username: string
  readonly ip: string
}

const toThrottleKey = ({ username, ip }: LoginAttempt): ThrottleKey => ({
  usernameKey: normalizeName(username),
  ip: toIpNetwork(ip),
})

/**
 * Records an attempt as failed before the secret is verified, so that concurrent attempts cannot exceed the limits.
 * `clearFailedAttempts` removes it after a success.
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function recordFailedAttempt(db: Database, ports: Ports, attempt: LoginAttempt): Promise<void> {
  const key = toThrottleKey(attempt)
  await db.write(async (tx) => {
    const now = ports.now()
    const since = now - WINDOW_MS
    assertUnderLimit(await tx.all(latestByUserAndIp, { ...key, since }), MAX_FAILURES_PER_USER_AND_IP, now)
    assertUnderLimit(await tx.all(latestByIp, { ip: key.ip, since }), MAX_FAILURES_PER_IP, now)
    await tx.run(insertFailure, {
      id: ports.newId(),
      username_key: key.usernameKey,
      address: key.ip,
      at: now,
    })
  })
}

/**
 * @param latest failures in the window, newest first
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

function assertUnderLimit(latest: readonly { at: number }[], limit: number, now: number): void {
  const seconds = getRetryAfterSeconds(latest, limit, now)
  if (seconds === null) return
  throw new AppError('rate_limited', {
    message: `Too many failed attempts. Try again in ${seconds} seconds.`,
    headers: { 'retry-after': String(seconds) },
  })
}

/** Clears the failures of this username and IP address, after a success. */
export const clearFailedAttempts = async (tx: Transaction, attempt: LoginAttempt): Promise<void> => {
  await tx.run(deleteByUserAndIp, toThrottleKey(attempt))
}

/** Deletes the failures that have left the window. */
export const deleteExpiredFailures = async (db: Database, ports: Ports): Promise<void> => {
  await db.write((tx) => tx.run(deleteExpired, { before: ports.now() - WINDOW_MS }))
}
