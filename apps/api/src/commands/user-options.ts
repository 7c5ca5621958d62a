import { findAccountByUsername, username } from '@reeve/auth'
import { AppError } from '@reeve/core'
import type { AccountTable, Queries } from '@reeve/db'
import { required, secret } from '../command-line/command.ts'

export const usernameOption = required('<name>', 'the username to sign in with', username)

export const passwordOption = secret('read the password from standard input')

/** @throws AppError `not_found` with a hint at the command that lists accounts */
export async function requireAccountByUsername(db: Queries, name: string): Promise<AccountTable> {
  const account = await findAccountByUsername(db, name)
  if (account) return account
  throw new AppError('not_found', {
    message: `There is no account named ${name}. Run \`reeve user list\` to list the accounts.`,
  })
}
