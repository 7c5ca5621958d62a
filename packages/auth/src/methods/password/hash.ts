import { availableParallelism } from 'node:os'
import { AppError, formatRetryAfter } from '@reeve/core'
import pLimit from 'p-limit'

/** OWASP's first choice for argon2id: 19 MiB, 2 passes. Source: OWASP Password Storage Cheat Sheet. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Each hash takes 19 MiB and a core. One core stays free for requests. */
const MAX_CONCURRENT_HASHES = Math.max(1, availableParallelism() - 1)

/**
 * How many hashes may wait, by purpose. With one at a time, the last in the long queue waits for about ten seconds. Sign-ups are rare,
 * so a flood of them fills a short queue of its own and nobody is kept from signing in.
 */
const MAX_QUEUED_HASHES = { 'sign-in': 300, 'sign-up': 20 } as const

type HashPurpose = keyof typeof MAX_QUEUED_HASHES

const slots = pLimit(MAX_CONCURRENT_HASHES)
const queues: Readonly<Record<HashPurpose, (() => Promise<void>)[]>> = { 'sign-in': [], 'sign-up': [] }
let nextPurpose: HashPurpose = 'sign-in'

/** Runs the next hash. The queues take turns while both have entries. */
async function runNextHash(): Promise<void> {
  const otherPurpose = nextPurpose === 'sign-in' ? 'sign-up' : 'sign-in'
  const task = queues[nextPurpose].shift() ?? queues[otherPurpose].shift()
  nextPurpose = otherPurpose
  await task?.()
}

/** How long a client waits before it tries again, once the queue is full. */
const RETRY_AFTER_SECONDS = 10

/** @throws AppError `unavailable` when the queue is full */
function queueHash<Result>(purpose: HashPurpose, task: () => Promise<Result>): Promise<Result> {
  const queue = queues[purpose]
  if (queue.length >= MAX_QUEUED_HASHES[purpose]) {
    throw new AppError('unavailable', {
      message: `Too many ${purpose}s are in progress. ${formatRetryAfter(RETRY_AFTER_SECONDS)}`,
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    })
  }
  return new Promise((resolve, reject) => {
    queue.push(() => task().then(resolve, reject))
    void slots(runNextHash)
  })
}

/**
 * Hashes a password for storage.
 * @param purpose `sign-up` for the password of a new account
 * @throws AppError `unavailable` when too many hashes are queued
 */
export const hashPassword = async (password: string, purpose: HashPurpose = 'sign-in'): Promise<string> =>
  queueHash(purpose, () => Bun.password.hash(password.normalize('NFC'), ARGON2))

/** A hash that matches no password: verifying against it takes as long as against a real one. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$${'A'.repeat(43)}$${'A'.repeat(43)}`

/**
 * Whether a password matches a stored hash.
 * @param stored null, for no account or no password, takes the same time and never matches
 * @throws AppError `unavailable` when too many hashes are queued
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const matches = await queueHash('sign-in', () =>
    Bun.password.verify(password.normalize('NFC'), stored ?? DUMMY_HASH),
  )
  return matches && stored !== null
}
