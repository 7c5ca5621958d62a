import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, normalizeName, type Ports, wire } from '@reeve/core'
import { type AccountTable, insertAll, type Queries, statement, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { endAccountSessions } from '../sessions/session.ts'

const accountByName = statement<{ usernameKey: string }>()((sql, p) =>
  sql.selectFrom('account').selectAll().where('username_key', '=', p.usernameKey),
)
const anyAccount = statement()((sql) => sql.selectFrom('account').select('id').limit(1))
const insertAccount = statement<AccountTable>()((sql, p) => insertAll(sql, 'account', p))

const updatePasswordHash = statement<{ id: string; passwordHash: string; now: number }>()((sql, p) =>
  sql.updateTable('account').set({ password_hash: p.passwordHash, updated_at: p.now }).where('id', '=', p.id),
)

const usernameText = wire.text({ min: 1, max: 50, example: 'robin' })

/** A username to set. Invisible characters are refused, because two such names would look the same. */
export const username: wire.Codec<string> = {
  ...usernameText,
  read(text) {
    const name = usernameText.read(text)
    if (/[\p{C}\p{Zl}\p{Zp}]|\p{Zs}{2}/u.test(name.normalize('NFKC')))
      throw new wire.WireError('must not contain invisible characters or several spaces in a row')
    return name
  },
}

/** Whether the instance has any account; if not, it still has to be set up. */
export const hasAccounts = async (db: Queries): Promise<boolean> =>
  (await db.first(anyAccount, {})) !== undefined

/** The account with a username, case-insensitive. */
export const findAccountByUsername = (db: Queries, name: string): Promise<AccountTable | undefined> =>
  db.first(accountByName, { usernameKey: normalizeName(name) })

export interface NewAccount {
  readonly username: string
  /** From `hashNewPassword`, called before the transaction because hashing is slow; null for an account without a password. */
  readonly passwordHash: string | null
  readonly isOperator: boolean
}

/**
 * Creates an account.
 * @throws AppError `conflict` if the username is taken, case-insensitive
 */
export async function createAccount(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: NewAccount,
): Promise<AccountTable> {
  const now = ports.now()
  const row: AccountTable = {
    id: ports.newId(),
    username: input.username,
    username_key: normalizeName(input.username),
    password_hash: input.passwordHash,
    is_operator: input.isOperator ? 1 : 0,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  }
  if (await findAccountByUsername(tx, input.username)) throw usernameTakenError(input.username)
  await uniqueViolationToConflict(tx.run(insertAccount, row), usernameTakenMessage(input.username))
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.create',
    target: { kind: 'account', id: row.id },
    after: { username: row.username, isOperator: input.isOperator },
    chain: INSTANCE_CHAIN,
  })
  return row
}

/**
 * Sets the password of an account and ends all of its sessions.
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
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.set_password',
    target: { kind: 'account', id },
    chain: INSTANCE_CHAIN,
  })
}

const usernameTakenMessage = (name: string): string => `An account named ${name} already exists.`

export const usernameTakenError = (name: string): AppError =>
  new AppError('conflict', { message: usernameTakenMessage(name) })

/** The anonymous caller of a sign-in, as the account that was verified. */
export const actorForAccount = (actor: Actor, account: Pick<AccountTable, 'id' | 'username'>): Actor => ({
  ...actor,
  kind: 'account',
  id: account.id,
  name: account.username,
})
