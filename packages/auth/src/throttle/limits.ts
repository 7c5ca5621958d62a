import { AppError, DAY_MS, formatRetryAfter, HOUR_MS, MINUTE_MS } from '@reeve/core'
import { type Queries, type SignInAttemptTable, statement } from '@reeve/db'

/** Attempts in this sliding window count. */
const WINDOW_MS = 15 * MINUTE_MS
/** The longest window of a limit. */
export const MAX_WINDOW_MS = DAY_MS

/**
 * How far in the future an attempt counts. The clocks of processes differ, and one process may wait for the lock while another, which
 * has read the time later, records its attempt. A clock that was set back leaves attempts further in the future, which must keep nobody
 * out.
 */
const MAX_AHEAD_MS = MINUTE_MS

/** A limit on the attempts that have the same values in some columns. */
interface Limit {
  readonly columns: readonly Extract<
    keyof SignInAttemptTable,
    'username_key' | 'address' | 'network_56' | 'network_48' | 'credential'
  >[]
  /** Whether attempts that succeeded count too. */
  readonly countsSuccesses: boolean
  readonly max: number
  readonly windowMs: number
}

const failures = (columns: Limit['columns'], max: number, windowMs = WINDOW_MS): Limit => ({
  columns,
  countsSuccesses: false,
  max,
  windowMs,
})
/** Every attempt costs a hash, a successful one too. These limits are far more than a person, or everyone behind one IP address, needs. */
const attempts = (columns: Limit['columns'], max: number, windowMs = WINDOW_MS): Limit => ({
  columns,
  countsSuccesses: true,
  max,
  windowMs,
})

/**
 * The most failures of an account in a day, from any number of IP addresses. A browser that is known to the account is not affected, so
 * guesses of others do not keep its owner out. Source: NIST SP 800-63B, 5.2.2 (100 consecutive failures).
 */
const ACCOUNT_FAILURES_PER_DAY = failures(['username_key'], 100, DAY_MS)
/**
 * The most failures of the second factors of an account in a day, counted apart from those of its password: anybody can cause failures of the
 * password, and a link with which its owner sets a new one makes every browser unknown.
 */
const SECOND_FACTOR_FAILURES_PER_DAY = failures(['credential'], 100, DAY_MS)

/** An attempt to present a secret: what its limits count by. */
export type CountedAttempt = Pick<
  SignInAttemptTable,
  'username_key' | 'address' | 'network_56' | 'network_48' | 'credential'
>

/** What decides which limits an attempt has. */
export interface AttemptKind {
  /** Whether it comes from a browser in which the account has signed in. */
  readonly isKnownDevice: boolean
  /** Whether the secret is a second factor, and the credential names its account. */
  readonly isSecondFactor: boolean
}

function listLimits(
  { username_key, address, network_48, credential }: CountedAttempt,
  { isKnownDevice, isSecondFactor }: AttemptKind,
) {
  if (isKnownDevice) {
    return [failures(['credential'], 10), failures(['credential'], 100, DAY_MS), attempts(['credential'], 30)]
  }
  // Everyone with an invitation link has the same empty username.
  const hasUsername = username_key !== ''
  const isIpv6 = network_48 !== address
  return [
    failures(['username_key', 'address'], 10),
    failures(['address'], 50),
    attempts(['address'], 300),
    ...(isIpv6
      ? [
          failures(['network_56'], 100),
          attempts(['network_56'], 600),
          failures(['network_48'], 200),
          attempts(['network_48'], 1200),
        ]
      : []),
    ...(hasUsername
      ? [
          attempts(['username_key', 'address'], 30),
          isSecondFactor ? SECOND_FACTOR_FAILURES_PER_DAY : ACCOUNT_FAILURES_PER_DAY,
        ]
      : []),
    ...(credential === '' ? [] : [attempts(['credential'], 20)]),
  ]
}

/** Where somebody enters the code of an appeal: anybody on the public page, or a game with an API key. */
export type CodeScope = 'page' | 'game'

/**
 * The most wrong appeal codes. A game sends those of all of its players from any address, so its workspace is counted.
 * `docs/security.md` has the arithmetic.
 */
const CODE_LIMITS: Readonly<Record<CodeScope, readonly Limit[]>> = {
  page: [
    failures(['username_key', 'address'], 10),
    failures(['username_key', 'address'], 40, DAY_MS),
    failures(['username_key', 'network_48'], 40),
    failures(['username_key'], 1000, HOUR_MS),
  ],
  game: [failures(['username_key'], 100, HOUR_MS)],
}

/** The most files that players send with appeals. `username_key` stands for the workspace: a hash of `appeal file` and its id. */
const FILE_LIMITS: Readonly<Record<CodeScope, readonly Limit[]>> = {
  page: [
    attempts(['username_key', 'address'], 10, HOUR_MS),
    attempts(['username_key', 'network_48'], 40, HOUR_MS),
    attempts(['username_key'], 200, HOUR_MS),
  ],
  game: [attempts(['username_key'], 200, HOUR_MS)],
}

/** The newest attempts with the same values in some columns; failures, or also those that succeeded. */
const latestBy = (columns: Limit['columns']) =>
  statement<CountedAttempt & { since: number; until: number; hasSucceeded: number; limit: number }>()(
    (sql, p) => {
      let query = sql
        .selectFrom('sign_in_attempt')
        .select('at')
        .where('at', '>', p.since)
        .where('at', '<=', p.until)
        .where('has_succeeded', '<=', p.hasSucceeded)
      for (const column of columns) query = query.where(column, '=', p[column])
      return query.orderBy('at', 'desc').limit(p.limit)
    },
  )
const latest = new Map(
  [
    ['username_key', 'address'] as const,
    ['username_key', 'network_48'] as const,
    ['username_key'] as const,
    ['address'] as const,
    ['network_56'] as const,
    ['network_48'] as const,
    ['credential'] as const,
  ].map((columns) => [columns.join(), latestBy(columns)]),
)

/**
 * @param now epoch milliseconds
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function assertUnderLimits(
  db: Queries,
  attempt: CountedAttempt,
  { now, ...kind }: AttemptKind & { readonly now: number },
): Promise<void> {
  await assertUnderEach(db, attempt, listLimits(attempt, kind), now)
}

/**
 * @param now epoch milliseconds
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function assertUnderCodeLimits(
  db: Queries,
  attempt: CountedAttempt,
  scope: CodeScope,
  now: number,
): Promise<void> {
  await assertUnderEach(db, attempt, CODE_LIMITS[scope], now)
}

/**
 * @param now epoch milliseconds
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function assertUnderFileLimits(
  db: Queries,
  attempt: CountedAttempt,
  scope: CodeScope,
  now: number,
): Promise<void> {
  await assertUnderEach(db, attempt, FILE_LIMITS[scope], now)
}

async function assertUnderEach(
  db: Queries,
  attempt: CountedAttempt,
  limits: readonly Limit[],
  now: number,
): Promise<void> {
  for (const limit of limits) {
    const query = latest.get(limit.columns.join())
    if (!query) throw new Error(`no statement for ${limit.columns.join()}`)
    const rows = await db.all(query, {
      ...attempt,
      since: now - limit.windowMs,
      until: now + MAX_AHEAD_MS,
      hasSucceeded: limit.countsSuccesses ? 1 : 0,
      limit: limit.max,
    })
    const seconds = getRetryAfterSeconds(rows, limit, now)
    if (seconds !== null) throw createLimitError(limit, seconds)
  }
}

/**
 * @param latest attempts in the window, newest first
 * @param now epoch milliseconds
 * @returns whole seconds until another attempt is allowed; null if it is allowed now
 */
export function getRetryAfterSeconds(
  latest: readonly { readonly at: number }[],
  { max, windowMs }: Pick<Limit, 'max' | 'windowMs'>,
  now: number,
): number | null {
  const oldest = latest[max - 1]
  return oldest ? Math.max(1, Math.ceil((oldest.at + windowMs - now) / 1000)) : null
}

function createLimitError(limit: Limit, seconds: number): AppError {
  const counted = limit.countsSuccesses ? 'attempts' : 'failed attempts'
  const message =
    limit === ACCOUNT_FAILURES_PER_DAY
      ? `Too many failed attempts for this account today. Sign in in a browser that you have used before, or ask an operator of this instance for a link. ${formatRetryAfter(seconds)}`
      : `Too many ${counted}. ${formatRetryAfter(seconds)}`
  return new AppError('rate_limited', { message, headers: { 'retry-after': String(seconds) } })
}
