import { ACCOUNT_CREATION, appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, normalizeName, type Ports } from '@reeve/core'
import { type AccountTable, insertAll, type Queries, statement, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { SECOND_FACTOR_PURPOSE } from '../factors/factor.ts'
import { queueNotice } from '../mail/notice.ts'
import { revokeOneTimeTokens } from '../one-time-token.ts'
import { endAccountSessions } from '../sessions/session.ts'
import { toUsernameSkeleton } from './username.ts'

const accountByName = statement<{ usernameKey: string }>()((sql, p) =>
  sql.selectFrom('account').selectAll().where('username_key', '=', p.usernameKey),
)
const accountById = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('account').selectAll().where('id', '=', p.id),
)
const accountBySkeleton = statement<{ skeleton: string }>()((sql, p) =>
  sql.selectFrom('account').select('username').where('username_skeleton', '=', p.skeleton),
)
const anyAccount = statement()((sql) => sql.selectFrom('account').select('id').limit(1))
const insertAccount = statement<AccountTable>()((sql, p) => insertAll(sql, 'account', p))

const updatePasswordHash = statement<{ id: string; passwordHash: string; now: number }>()((sql, p) =>
  sql.updateTable('account').set({ password_hash: p.passwordHash, updated_at: p.now }).where('id', '=', p.id),
)

/** The purpose of the one-time token of a link with which a password is set. */
export const PASSWORD_LINK_PURPOSE = 'password_link'

/** Whether the instance has any account; if not, it still has to be set up. */
export const hasAccounts = async (db: Queries): Promise<boolean> =>
  (await db.first(anyAccount, {})) !== undefined

/** The account with a username, case-insensitive. */
export const findAccountByUsername = (db: Queries, name: string): Promise<AccountTable | undefined> =>
  db.first(accountByName, { usernameKey: normalizeName(name) })

/** The account with an id. */
export const findAccount = (db: Queries, id: string): Promise<AccountTable | undefined> =>
  db.first(accountById, { id })

/** Called only after a correct credential, so that it reveals nothing about other accounts. @throws AppError `unauthorized` */
export function assertNotDisabled({ disabled_at }: Pick<AccountTable, 'disabled_at'>): void {
  if (disabled_at === null) return
  throw new AppError('unauthorized', {
    reason: 'missing_credentials',
    message: 'This account is disabled. Contact the operator of this instance.',
  })
}

export interface NewAccount {
  readonly username: string
  /** From `hashNewPassword`, called before the transaction because hashing is slow; null for an account without a password. */
  readonly passwordHash: string | null
  readonly isOperator: boolean
}

/**
 * Creates an account.
 * @throws AppError `conflict` if the username is taken, case-insensitive, or looks like that of another account
 */
export async function createAccount(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: NewAccount,
): Promise<AccountTable> {
  const now = ports.now()
  const skeleton = await toUsernameSkeleton(input.username)
  const row: AccountTable = {
    id: ports.newId(),
    username: input.username,
    username_key: normalizeName(input.username),
    username_skeleton: skeleton,
    password_hash: input.passwordHash,
    is_operator: input.isOperator ? 1 : 0,
    email: null,
    email_key: null,
    user_handle: null,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  }
  if (await findAccountByUsername(tx, input.username)) throw usernameTakenError(input.username)
  const similar = await tx.first(accountBySkeleton, { skeleton })
  if (similar) throw similarUsernameError(input.username)
  await uniqueViolationToConflict(tx.run(insertAccount, row), usernameTakenMessage(input.username))
  await appendAuditEntry(tx, ports, actor, {
    action: ACCOUNT_CREATION,
    target: { kind: 'account', id: row.id },
    after: { username: row.username, isOperator: input.isOperator },
    chain: INSTANCE_CHAIN,
  })
  return row
}

/**
 * Sets the password of an account, and ends all of its sessions, the sign-ins that still need a second factor, and the links with which
 * a password can be set. Its owner is notified.
 * @param input.passwordHash from `hashPassword`, called before the transaction
 * @throws AppError `not_found`
 */
export async function setPassword(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly accountId: string; readonly passwordHash: string },
): Promise<void> {
  const { accountId: id, passwordHash } = input
  if ((await tx.run(updatePasswordHash, { id, passwordHash, now: ports.now() })) === 0)
    throw new AppError('not_found')
  await endAccountSessions(tx, id)
  await revokeOneTimeTokens(tx, id, SECOND_FACTOR_PURPOSE)
  await revokeOneTimeTokens(tx, id, PASSWORD_LINK_PURPOSE)
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.set_password',
    target: { kind: 'account', id },
    chain: INSTANCE_CHAIN,
  })
  await queueNotice(tx, ports, id, { event: 'password_set' })
}

const usernameTakenMessage = (name: string): string => `An account named ${name} already exists.`

/** Does not name the other account, because the caller may not know it. */
const similarUsernameError = (name: string): AppError =>
  new AppError('conflict', {
    message: `${name} looks like the username of another account. Choose one that is easier to tell apart.`,
  })

export const usernameTakenError = (name: string): AppError =>
  new AppError('conflict', { message: usernameTakenMessage(name) })

/** The anonymous caller of a sign-in, as the account that was verified. */
export const actorForAccount = (actor: Actor, account: Pick<AccountTable, 'id' | 'username'>): Actor => ({
  ...actor,
  kind: 'account',
  id: account.id,
  name: account.username,
})
