import { createHash, timingSafeEqual } from 'node:crypto'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { AccountTable, Database, Transaction } from '@reeve/db'
import { actorForAccount } from '../methods/password.ts'
import { hashPassword } from '../methods/password-hash.ts'
import { createSession } from '../sessions/session.ts'
import { clearFailedAttempts, recordFailedAttempt } from '../throttle.ts'
import { createAccount, hasAccounts } from './account.ts'

/** Crockford's base 32: no letter that is taken for a digit. https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 12
const GROUP_PATTERN = /.{4}(?=.)/g

/** The code that whoever can read the server's log proves it with; it lives as long as the process and nowhere else. */
export interface FirstRunCode {
  readonly text: string
}

/** A new code of 60 random bits, in groups: `7K3M-Q9TX-2ZBD`. */
export function generateFirstRunCode(ports: Pick<Ports, 'randomBytes'>): FirstRunCode {
  const letters = [...ports.randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return { text: letters.join('').replace(GROUP_PATTERN, '$&-') }
}

/** A code as it is compared: however it was typed. */
const normalizeCode = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0')

const hashCode = (text: string): Buffer => createHash('sha256').update(normalizeCode(text)).digest()

/** How the first workspace is made: given by who puts the plugins together. */
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
  readonly userAgent: string
}

const alreadySetUp = () =>
  new AppError('conflict', { message: 'This instance has been set up already; sign in instead.' })

/**
 * Sets an instance up that has no account yet: its first operator, signed in, and a first workspace of theirs.
 * @throws AppError `conflict` once there is an account, `unauthorized` for another code, `rate_limited`
 */
export async function setUpInstance(
  db: Database,
  ports: Ports,
  actor: Actor,
  options: FirstRunOptions,
  input: SetUpInput,
): Promise<{ account: AccountTable; workspaceId: string; token: string }> {
  if (await hasAccounts(db.read)) throw alreadySetUp()
  const attempt = { username: '', ip: actor.ip }
  await recordFailedAttempt(db, ports, attempt)
  if (!timingSafeEqual(hashCode(input.code), hashCode(options.code.text))) {
    throw new AppError('unauthorized', {
      reason: 'missing_credentials',
      message: "This is not the code; it stands in the server's log, where the server last started.",
    })
  }
  const passwordHash = await hashPassword(input.password)
  return db.write(async (tx) => {
    if (await hasAccounts(tx)) throw alreadySetUp()
    await clearFailedAttempts(tx, attempt)
    const account = await createAccount(tx, ports, actor, {
      username: input.username,
      passwordHash,
      isOperator: true,
    })
    const accountActor = actorForAccount(actor, account)
    const { workspace } = await options.createWorkspace(tx, ports, accountActor, {
      groupName: input.groupName,
      ownerId: account.id,
    })
    const token = await createSession(tx, ports, account.id, {
      ip: actor.ip,
      userAgent: input.userAgent,
    })
    return { account, workspaceId: workspace.id, token }
  })
}
