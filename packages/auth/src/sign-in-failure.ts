import { createHmac } from 'node:crypto'
import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, HOUR_MS, normalizeName, type Ports } from '@reeve/core'
import type { AccountTable, Database } from '@reeve/db'

/** Why somebody was not signed in. */
const signInFailureReasons = [
  'unknown_username',
  'wrong_password',
  'wrong_code',
  'invalid_passkey',
  'identity_rejected',
  'account_disabled',
  'rate_limited',
] as const
export type SignInFailureReason = (typeof signInFailureReasons)[number]

/** A failed sign-in, for the log. */
export interface SignInFailure {
  readonly requestId: string
  readonly ip: string
  readonly reason: SignInFailureReason
  /** The username of the account; of a name that no account has a hash, because people also enter passwords there. */
  readonly username: string
  /** Null if there is no such account. */
  readonly accountId: string | null
}

/** What reporting a failure depends on: a part of `AppContext`. */
export interface SignInReporting {
  readonly db: Database
  readonly ports: Ports
  readonly onSignInFailure: (failure: SignInFailure) => void
}

export interface SignInFailureInput {
  readonly reason: SignInFailureReason
  /** The name as entered; null where none was, as with a passkey. */
  readonly username: string | null
  readonly account: Pick<AccountTable, 'id' | 'username'> | undefined
}

/** Names that no account has fill the audit log no faster than this, in each process. The log of the server has all of them. */
const MAX_UNKNOWN_PER_HOUR = 1000

const unknownCounts = new WeakMap<Database, { hour: number; count: number }>()

function isRecorded({ db, ports }: SignInReporting): boolean {
  const hour = Math.floor(ports.now() / HOUR_MS)
  const last = unknownCounts.get(db)
  const current = last?.hour === hour ? last : { hour, count: 0 }
  current.count += 1
  unknownCounts.set(db, current)
  return current.count <= MAX_UNKNOWN_PER_HOUR
}

/** Equal for equal names, so that repeated attempts are recognized. */
const hashName = (ports: Ports, name: string): string =>
  `hash:${createHmac('sha256', ports.deriveKey('names')).update(normalizeName(name)).digest('hex').slice(0, 16)}`

/**
 * Reports a failed sign-in to the log, and writes `accounts.sign_in_failed` to the audit log, where the account sees it too. Attempts
 * that were rejected by a rate limit are only in the log.
 * @param actor the anonymous caller, with IP address and request id
 */
export async function reportSignInFailure(
  app: SignInReporting,
  actor: Actor,
  { reason, username, account }: SignInFailureInput,
): Promise<void> {
  const { db, ports } = app
  const name = account?.username ?? (username === null ? '' : hashName(ports, username))
  const { ip, requestId } = actor
  app.onSignInFailure({ requestId, ip, reason, username: name, accountId: account?.id ?? null })
  if (reason === 'rate_limited' || (!account && !isRecorded(app))) return
  await db.write((tx) =>
    appendAuditEntry(tx, ports, actor, {
      action: 'accounts.sign_in_failed',
      target: account ? { kind: 'account', id: account.id } : { kind: 'username', id: name },
      after: { reason },
      chain: INSTANCE_CHAIN,
    }),
  )
}
