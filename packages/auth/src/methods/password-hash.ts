import { AppError, invalidRequest, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, wire } from '@reeve/core'
import pLimit from 'p-limit'
import { commonPasswords } from './common-passwords.ts'

/** OWASP's first choice for argon2id: 19 MiB, 2 passes. Source: OWASP Password Storage Cheat Sheet. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Hashes at the same time at the most: each takes 19 MiB and a core. */
const MAX_CONCURRENT_HASHES = 4

/** How many may wait for their turn: those at the end would wait for about ten seconds. */
const MAX_QUEUED_HASHES = 500

const limit = pLimit(MAX_CONCURRENT_HASHES)

/** @throws AppError `unavailable` where too many wait already */
async function withHashSlot<Result>(task: () => Promise<Result>): Promise<Result> {
  if (limit.pendingCount >= MAX_QUEUED_HASHES)
    throw new AppError('unavailable', { headers: { 'retry-after': '10' } })
  return limit(task)
}

/** Why a password is not good enough, in words that follow the field's name; null where it is. */
function findPasswordProblem(password: string): string | null {
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) {
    return `must be ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters`
  }
  if (!password.isWellFormed()) return 'must be well-formed Unicode'
  if (commonPasswords.has(password.toLowerCase()) || new Set(password).size < 3) {
    return 'is among the first that anyone would guess; choose another'
  }
  return null
}

/** @throws AppError `invalid_request` naming `field` where a password is too short, too long or among the commonest */
export function assertPasswordPolicy(password: string, field = 'password'): void {
  const message = findPasswordProblem(password)
  if (message !== null) throw invalidRequest({ field, message })
}

/** A password to be: taken as it is, white space included. */
export const newPassword: wire.Codec<string> = {
  read(text) {
    const problem = findPasswordProblem(text)
    if (problem !== null) throw new wire.WireError(problem)
    return text
  },
  write: () => '',
  description: `Password, ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, not among the commonest`,
  example: 'four words that I chose',
}

/** Longer than any password in UTF-16 units. */
const MAX_INPUT_LENGTH = 4 * PASSWORD_MAX_LENGTH

/** A password to be compared: any text, so that the rules of today lock nobody out. */
export const existingPassword: wire.Codec<string> = {
  read(text) {
    if (text.length < 1 || text.length > MAX_INPUT_LENGTH)
      throw new wire.WireError(`must be 1 to ${MAX_INPUT_LENGTH} characters`)
    return text
  },
  write: () => '',
  description: 'Password',
  example: 'four words that I chose',
}

/** Hashes a password for storage, in its turn. */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => Bun.password.hash(password.normalize('NFC'), ARGON2))

/** A hash that no password has, so that an unknown name costs what a known one does. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$${'A'.repeat(43)}$${'A'.repeat(43)}`

/** Whether a password is the one that was hashed. `stored` null costs the same and is never right. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const matches = await withHashSlot(() =>
    Bun.password.verify(password.normalize('NFC'), stored ?? DUMMY_HASH),
  )
  return matches && stored !== null
}
