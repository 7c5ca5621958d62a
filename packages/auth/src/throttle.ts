import { AppError, normalizeName, type Ports } from '@reeve/core'
import { type Database, insertAll, type SignInFailureTable, statement, type Transaction } from '@reeve/db'
import { toIpNetwork } from './ip-address.ts'

/** Failures within this time count. */
const WINDOW_MS = 15 * 60_000
/** After so many an account-and-address pair waits, and an address by itself. */
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

/** Who is guessing, and from where. */
export interface LoginAttempt {
  /** The username as given; empty for a guess at what belongs to no account. */
  readonly username: string
  readonly ip: string
}

const toThrottleKey = ({ username, ip }: LoginAttempt): ThrottleKey => ({
  usernameKey: normalizeName(username),
  ip: toIpNetwork(ip),
})

/**
 * Takes an attempt before the secret is looked at: it counts as failed from now on, so that a burst of simultaneous guesses
 * gets no more than one after the other would. `forgive` takes it back.
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

function assertUnderLimit(latest: readonly { at: number }[], limit: number, now: number): void {
  const oldest = latest[limit - 1]
  if (!oldest) return
  const seconds = Math.max(1, Math.ceil((oldest.at + WINDOW_MS - now) / 1000))
  throw new AppError('rate_limited', {
    message: 'Too many failed attempts; wait as long as Retry-After says.',
    headers: { 'retry-after': String(seconds) },
  })
}

/** Clears the failures of a pair that has shown it knows the secret. */
export const clearFailedAttempts = async (tx: Transaction, attempt: LoginAttempt): Promise<void> => {
  await tx.run(deleteByUserAndIp, toThrottleKey(attempt))
}

/** Deletes the failures that no longer count. */
export const deleteExpiredFailures = async (db: Database, ports: Ports): Promise<void> => {
  await db.write((tx) => tx.run(deleteExpired, { before: ports.now() - WINDOW_MS }))
}
