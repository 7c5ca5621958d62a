import { createHash, timingSafeEqual } from 'node:crypto'
import { type Actor, AppError, normalizeBase32, type Ports } from '@reeve/core'
import type { Database, Transaction } from '@reeve/db'
import { generateCode } from '../base32-code.ts'
import type { SignInStep, VerifiedAccount } from '../sessions/establish.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../throttle/attempts.ts'
import { actorForAccount, createAccount, hasAccounts } from './account.ts'
import { hashNewPassword } from './hash-new-password.ts'

const CODE_LENGTH = 12

/** Proves that the caller can read the server log. Kept in memory only, for the life of the process. */
export interface FirstRunCode {
  readonly text: string
}

/** Generates a code of 60 random bits: `7K3M-Q9TX-2ZBD`. */
export const generateFirstRunCode = (ports: Pick<Ports, 'randomBytes'>): FirstRunCode => ({
  text: generateCode(ports, CODE_LENGTH),
})

const hashCode = (text: string): Buffer => createHash('sha256').update(normalizeBase32(text)).digest()

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
): Promise<SignInStep<VerifiedAccount & { workspaceId: string }>> {
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
    return { account, factors: ['password'], workspaceId: workspace.id }
  }
}
