import { AppError, normalizeName, type Ports } from '@reeve/core'
import { type Database, type SignInFailureTable, statement, type Transaction } from '@reeve/db'
import { networkOf } from './address.ts'

/** Failures within this time count. */
const WINDOW_MS = 15 * 60_000
/** After so many an account-and-address pair waits, and an address by itself. */
const PAIR_LIMIT = 10
const ADDRESS_LIMIT = 50

interface Place {
  readonly usernameKey: string
  readonly address: string
}

const latestOfPair = statement<Place & { since: number }>()((sql, p) =>
  sql
    .selectFrom('sign_in_failure')
    .select('at')
    .where('username_key', '=', p.usernameKey)
    .where('address', '=', p.address)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(PAIR_LIMIT),
)
const latestOfAddress = statement<{ address: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('sign_in_failure')
    .select('at')
    .where('address', '=', p.address)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(ADDRESS_LIMIT),
)
const insertFailure = statement<SignInFailureTable>()((sql, p) =>
  sql
    .insertInto('sign_in_failure')
    .values({ id: p.id, username_key: p.username_key, address: p.address, at: p.at }),
)
const deletePair = statement<Place>()((sql, p) =>
  sql
    .deleteFrom('sign_in_failure')
    .where('username_key', '=', p.usernameKey)
    .where('address', '=', p.address),
)
const deleteOld = statement<{ before: number }>()((sql, p) =>
  sql.deleteFrom('sign_in_failure').where('at', '<=', p.before),
)

/** Who is guessing, and from where. */
export interface Guess {
  /** The username as given; empty for a guess at what belongs to no account. */
  readonly name: string
  readonly address: string
}

const placeOf = ({ name, address }: Guess): Place => ({
  usernameKey: normalizeName(name),
  address: networkOf(address),
})

/**
 * Takes an attempt before the secret is looked at: it counts as failed from now on, so that a burst of simultaneous guesses
 * gets no more than one after the other would. `forgive` takes it back.
 * @throws AppError `rate_limited` with `Retry-After`
 */
export async function takeAttempt(db: Database, ports: Ports, guess: Guess): Promise<void> {
  const place = placeOf(guess)
  await db.write(async (tx) => {
    const now = ports.now()
    const since = now - WINDOW_MS
    needRoom(await tx.all(latestOfPair, { ...place, since }), PAIR_LIMIT, now)
    needRoom(await tx.all(latestOfAddress, { address: place.address, since }), ADDRESS_LIMIT, now)
    await tx.run(insertFailure, {
      id: ports.newId(),
      username_key: place.usernameKey,
      address: place.address,
      at: now,
    })
  })
}

function needRoom(latest: readonly { at: number }[], limit: number, now: number): void {
  const oldest = latest[limit - 1]
  if (!oldest) return
  const seconds = Math.max(1, Math.ceil((oldest.at + WINDOW_MS - now) / 1000))
  throw new AppError('rate_limited', {
    message: 'Too many failed attempts; wait as long as Retry-After says.',
    headers: { 'retry-after': String(seconds) },
  })
}

/** Clears the failures of a pair that has shown it knows the secret. */
export const forgive = async (tx: Transaction, guess: Guess): Promise<void> => {
  await tx.run(deletePair, placeOf(guess))
}

/** Deletes the failures that no longer count. */
export const forgetOldFailures = async (db: Database, ports: Ports): Promise<void> => {
  await db.write((tx) => tx.run(deleteOld, { before: ports.now() - WINDOW_MS }))
}
