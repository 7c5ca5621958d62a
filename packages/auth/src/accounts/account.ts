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

/** Names people sign in with. What cannot be seen cannot be told apart, so it is refused. */
export const username: wire.Codec<string> = {
  ...usernameText,
  read(text) {
    const name = usernameText.read(text)
    if (/[\p{C}\p{Zl}\p{Zp}]|\p{Zs}{2}/u.test(name.normalize('NFKC')))
      throw new wire.WireError('must not hold invisible characters or several spaces in a row')
    return name
  },
}

/** Whether the instance has any account: until then it is being set up. */
export const hasAccounts = async (db: Queries): Promise<boolean> =>
  (await db.first(anyAccount, {})) !== undefined

/** The account of a username, ignoring case. */
export const findAccountByUsername = (db: Queries, name: string): Promise<AccountTable | undefined> =>
  db.first(accountByName, { usernameKey: normalizeName(name) })

export interface NewAccount {
  readonly username: string
  /** From `hashPassword`: hashing takes long, so it is done before the transaction. */
  readonly passwordHash: string
  readonly isOperator: boolean
}

/**
 * Makes an account.
 * @throws AppError `conflict` where the username is taken, ignoring case
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
  if (await findAccountByUsername(tx, input.username))
    throw new AppError('conflict', { message: usernameTakenMessage(input.username) })
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
 * Gives an account another password and ends all of its sessions: whoever had the old one is out.
 * @param input.passwordHash from `hashPassword`, made before the transaction
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

const usernameTakenMessage = (name: string): string => `There is an account named ${name} already.`
