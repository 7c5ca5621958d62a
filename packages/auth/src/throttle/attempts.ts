import { normalizeName, type Ports } from '@reeve/core'
import {
  type Database,
  insertAll,
  runInSlices,
  type SignInAttemptTable,
  statement,
  type Transaction,
} from '@reeve/db'
import { toIpNetwork } from '../ip-address.ts'
import { hashToken } from '../token.ts'
import { assertUnderLimits, MAX_WINDOW_MS } from './limits.ts'

interface AttemptKey {
  readonly usernameKey: string
  readonly ip: string
}

const insertAttempt = statement<SignInAttemptTable>()((sql, p) => insertAll(sql, 'sign_in_attempt', p))
/** Not the failures of another secret: a correct password says nothing about the codes that were tried. */
const updateSucceeded = statement<AttemptKey & { credential: string }>()((sql, p) =>
  sql
    .updateTable('sign_in_attempt')
    .set({ has_succeeded: 1 })
    .where('username_key', '=', p.usernameKey)
    .where('address', '=', p.ip)
    .where('has_succeeded', '=', 0)
    .where((eb) => eb.or([eb('credential', '=', ''), eb('credential', '=', p.credential)])),
)
const deleteFailures = statement<AttemptKey>()((sql, p) =>
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
  /** What the caller already has, and what attempts are counted by as well: a session id or the hash of a token. */
  readonly credential?: string | null
  /** Whether the credential is a browser in which the account has signed in: it then has limits of its own. */
  readonly isKnownDevice?: boolean
  /** Whether the secret is a second factor: its failures in a day are counted by credential, which then names the account. */
  readonly isSecondFactor?: boolean
}

const toAttemptKey = ({ username, ip }: LoginAttempt): AttemptKey => ({
  // People type their password into the field of the username: only its hash is stored.
  usernameKey: username === '' ? '' : hashToken(normalizeName(username)),
  ip: toIpNetwork(ip),
})

/**
 * Records an attempt as failed before the secret is verified, so that concurrent attempts cannot exceed the limits.
 * `markAttemptsSucceeded` changes that after a success.
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function recordFailedAttempt(db: Database, ports: Ports, attempt: LoginAttempt): Promise<void> {
  const { usernameKey, ip } = toAttemptKey(attempt)
  const counted = {
    username_key: usernameKey,
    address: ip,
    network_56: toIpNetwork(attempt.ip, 56),
    network_48: toIpNetwork(attempt.ip, 48),
    credential: attempt.credential ?? '',
  }
  const { isKnownDevice = false, isSecondFactor = false } = attempt
  await db.write(async (tx) => {
    const now = ports.now()
    await assertUnderLimits(tx, counted, { isKnownDevice, isSecondFactor, now })
    await tx.run(insertAttempt, { ...counted, id: ports.newId(), has_succeeded: 0, at: now })
  })
}

/** Clears the failures of this username and IP address, after a success. The attempts still count as attempts. */
export const markAttemptsSucceeded = async (tx: Transaction, attempt: LoginAttempt): Promise<void> => {
  await tx.run(updateSucceeded, { ...toAttemptKey(attempt), credential: attempt.credential ?? '' })
}

/** Deletes the failures of this IP address, after a secret was verified without a hash. */
export const deleteFailedAttempts = async (tx: Transaction, attempt: LoginAttempt): Promise<void> => {
  await tx.run(deleteFailures, toAttemptKey(attempt))
}

/**
 * Counts a request of somebody unknown that stores a row against the limit of attempts per IP address. People who start something and do
 * not come back have not failed at anything.
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function countAnonymousStart(db: Database, ports: Ports, ip: string): Promise<void> {
  const attempt = { username: '', ip }
  await recordFailedAttempt(db, ports, attempt)
  await db.write((tx) => markAttemptsSucceeded(tx, attempt))
}

/** Deletes the attempts that no limit counts any more. */
export const deleteExpiredAttempts = (db: Database, ports: Ports, signal?: AbortSignal): Promise<void> =>
  runInSlices(db, deleteExpired, { before: ports.now() - MAX_WINDOW_MS }, signal)
