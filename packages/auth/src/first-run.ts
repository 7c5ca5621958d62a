import { createHash, timingSafeEqual } from 'node:crypto'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { AccountTable, Database, Transaction } from '@reeve/db'
import { createAccount, hasAccounts } from './account.ts'
import { hashPassword } from './password.ts'
import { beginSession } from './session.ts'
import { asAccount } from './sign-in.ts'
import { forgive, takeAttempt } from './throttle.ts'

/** Crockford's base 32: no letter that is taken for a digit. https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 12
const GROUP = /.{4}(?=.)/g

/** The code that whoever can read the server's log proves it with; it lives as long as the process and nowhere else. */
export interface FirstRunCode {
  readonly text: string
}

/** A new code of 60 random bits, in groups: `7K3M-Q9TX-2ZBD`. */
export function newFirstRunCode(ports: Pick<Ports, 'randomBytes'>): FirstRunCode {
  const letters = [...ports.randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return { text: letters.join('').replace(GROUP, '$&-') }
}

/** A code as it is compared: however it was typed. */
const asTyped = (text: string): string =>
  text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0')

const digest = (text: string): Buffer => createHash('sha256').update(asTyped(text)).digest()

/** How the first workspace is made: given by who puts the plugins together. */
export type MakeFirstWorkspace = (
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly groupName: string; readonly ownerId: string },
) => Promise<{ readonly workspace: { readonly id: string } }>

export interface FirstRunParts {
  readonly code: FirstRunCode
  readonly createWorkspace: MakeFirstWorkspace
}

export interface SetUp {
  readonly code: string
  readonly username: string
  readonly password: string
  readonly groupName: string
  readonly userAgent: string
}

const done = () =>
  new AppError('conflict', { message: 'This instance has been set up already; sign in instead.' })

/**
 * Sets an instance up that has no account yet: its first operator, signed in, and a first workspace of theirs.
 * @throws AppError `conflict` once there is an account, `unauthorized` for another code, `rate_limited`
 */
export async function setUp(
  db: Database,
  ports: Ports,
  actor: Actor,
  parts: FirstRunParts,
  input: SetUp,
): Promise<{ account: AccountTable; workspaceId: string; token: string }> {
  if (await hasAccounts(db.read)) throw done()
  const guess = { name: '', address: actor.ip }
  await takeAttempt(db, ports, guess)
  if (!timingSafeEqual(digest(input.code), digest(parts.code.text))) {
    throw new AppError('unauthorized', {
      reason: 'missing_credentials',
      message: "This is not the code; it stands in the server's log, where the server last started.",
    })
  }
  const passwordHash = await hashPassword(input.password)
  return db.write(async (tx) => {
    if (await hasAccounts(tx)) throw done()
    await forgive(tx, guess)
    const account = await createAccount(tx, ports, actor, {
      username: input.username,
      passwordHash,
      isOperator: true,
    })
    const self = asAccount(actor, account)
    const { workspace } = await parts.createWorkspace(tx, ports, self, {
      groupName: input.groupName,
      ownerId: account.id,
    })
    const token = await beginSession(tx, ports, account.id, {
      address: actor.ip,
      userAgent: input.userAgent,
    })
    return { account, workspaceId: workspace.id, token }
  })
}
