import { AppError, normalizeName } from '@reeve/core'
import type { Database } from '@reeve/db'
import { hashPassword } from '../methods/password/hash.ts'
import { findAccountByUsername, usernameTakenError } from './account.ts'

/** The normalized usernames whose passwords are being hashed, by instance. */
const reservedUsernames = new WeakMap<Database, Set<string>>()

/**
 * Hashes the password of a new account. A taken username costs no hash, and of concurrent requests for one username only the
 * first gets one.
 * @returns for `createAccount`, which checks the username again in its transaction
 * @throws AppError `conflict` if the username is taken or reserved, case-insensitive; `unavailable` when too many hashes are
 *   queued
 */
export async function hashNewPassword(
  db: Database,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<string> {
  const reserved = reservedUsernames.get(db) ?? new Set()
  reservedUsernames.set(db, reserved)
  const usernameKey = normalizeName(username)
  if (reserved.has(usernameKey)) {
    throw new AppError('conflict', {
      message: `Somebody else is creating an account named ${username} at the moment. Choose another username.`,
    })
  }
  reserved.add(usernameKey)
  try {
    if (await findAccountByUsername(db.read, username)) throw usernameTakenError(username)
    return await hashPassword(password, 'sign-up')
  } finally {
    reserved.delete(usernameKey)
  }
}
