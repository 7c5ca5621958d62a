import { AppError } from '@reeve/core'
import pLimit from 'p-limit'

/** OWASP's first choice for argon2id: 19 MiB, 2 passes. Source: OWASP Password Storage Cheat Sheet. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Each hash takes 19 MiB and a core. */
const MAX_CONCURRENT_HASHES = 4

/** The last in a queue of this length waits for about ten seconds. */
const MAX_QUEUED_HASHES = 500

const limit = pLimit(MAX_CONCURRENT_HASHES)

/** @throws AppError `unavailable` when the queue is full */
async function withHashSlot<Result>(task: () => Promise<Result>): Promise<Result> {
  if (limit.pendingCount >= MAX_QUEUED_HASHES)
    throw new AppError('unavailable', { headers: { 'retry-after': '10' } })
  return limit(task)
}

/**
 * Hashes a password for storage.
 * @throws AppError `unavailable` when too many hashes are queued
 */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => Bun.password.hash(password.normalize('NFC'), ARGON2))

/** A hash that matches no password: verifying against it takes as long as against a real one. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$${'A'.repeat(43)}$${'A'.repeat(43)}`

/**
 * Whether a password matches a stored hash.
 * @param stored null, for no account or no password, takes the same time and never matches
 * @throws AppError `unavailable` when too many hashes are queued
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const matches = await withHashSlot(() =>
    Bun.password.verify(password.normalize('NFC'), stored ?? DUMMY_HASH),
  )
  return matches && stored !== null
}
