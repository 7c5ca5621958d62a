import { createHash, timingSafeEqual } from 'node:crypto'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { AccountTable, Database, Transaction } from '@reeve/db'
import type { SignInStep } from '../sessions/establish.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../throttle.ts'
import { actorForAccount, createAccount, hasAccounts } from './account.ts'
import { hashNewPassword } from './hash-new-password.ts'

/** Crockford's Base32, without letters that look like digits: https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 12
const GROUP_PATTERN = /.{4}(?=.)/g

/** Proves that the caller can read the server log. Kept in memory only, for the life of the process. */
export interface FirstRunCode {
  readonly text: string
}

/** Generates a code of 60 random bits, in groups: `7K3M-Q9TX-2ZBD`. */
export function generateFirstRunCode(ports: Pick<Ports, 'randomBytes'>): FirstRunCode {
  const letters = [...ports.randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return { text: letters.join('').replace(GROUP_PATTERN, '$&-') }
}

/** Ignores case, spaces and dashes, and reads I, L and O as the digits they look like. */
const normalizeCode = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0')

const hashCode = (text: string): Buffer => createHash('sha256').update(normalizeCode(text)).digest()

/** Creates the first workspace. Injected, because resource packages do not import each other. */
export type CreateFirstWorkspace = (
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly groupName: string; readonly ownerId: string },
) => Promise<{ readonly workspace: { readonly id: string } }>

export interface FirstRunOptions {
  readonly code: FirstRunCode
  readonly createWorkspace: CreateFirstWorkspace
}

export interface SetUpInput {
  readonly code: string
  readonly username: string
  readonly password: string
  readonly groupName: string
}

const alreadySetUp = () =>
  new AppError('conflict', { message: 'This instance is already set up. Sign in instead.' })

/**
 * Sets up an instance that has no account yet: creates its first operator and a workspace that the operator owns. A wrong
 * code counts as a failed sign-in.
 * @returns the step for `establishSession`
 * @throws AppError `unauthorized` for a wrong code, `rate_limited`, `conflict` if there is an account; in the step
 *   `conflict`
 */
export async function setUpInstance(
  db: Database,
  ports: Ports,
  actor: Actor,
  options: FirstRunOptions,
  input: SetUpInput,
): Promise<SignInStep<{ account: AccountTable; workspaceId: string }>> {
  if (await hasAccounts(db.read)) throw alreadySetUp()
  const attempt = { username: '', ip: actor.ip }
  await recordFailedAttempt(db, ports, attempt)
  if (!timingSafeEqual(hashCode(input.code), hashCode(options.code.text))) {
    throw new AppError('unauthorized', {
      reason: 'missing_credentials',
      message:
        'The setup code is incorrect. The server logs it at startup; use the code of the latest start.',
    })
  }
  const passwordHash = await hashNewPassword(db, input)
  return async (tx) => {
    if (await hasAccounts(tx)) throw alreadySetUp()
    await markAttemptsSucceeded(tx, attempt)
    const account = await createAccount(tx, ports, actor, {
      username: input.username,
      passwordHash,
      isOperator: true,
    })
    const { workspace } = await options.createWorkspace(tx, ports, actorForAccount(actor, account), {
      groupName: input.groupName,
      ownerId: account.id,
    })
    return { account, workspaceId: workspace.id }
  }
}
