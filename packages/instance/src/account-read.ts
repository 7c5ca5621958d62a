import { presentAccount } from '@reeve/auth'
import { AppError, normalizeName, paginate, parsePage, wire } from '@reeve/core'
import { type AccountTable, FIRST_USERNAME_KEY, type Queries, statement } from '@reeve/db'
import type { AccountsQueryInput } from './model.ts'

const ACCOUNT_COLUMNS = [
  'id',
  'username',
  'username_key',
  'is_operator',
  'disabled_at',
  'created_at',
] as const
type AccountRow = Pick<AccountTable, (typeof ACCOUNT_COLUMNS)[number]>

const accountsByName = statement<{
  after: string
  q: string
  /** 1 for operators only, 0 for all accounts. */
  minOperator: number
  /** 0 for disabled accounts only, -1 for all accounts. */
  minDisabledAt: number
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom('account')
    .select(ACCOUNT_COLUMNS)
    .where('username_key', '>', p.after)
    .where(dialect.contains('username_key', p.q))
    .where('is_operator', '>=', p.minOperator)
    .where((eb) => eb(eb.fn.coalesce('disabled_at', eb.lit(-1)), '>=', p.minDisabledAt))
    .orderBy('username_key')
    .limit(p.limit),
)
const byId = statement<{ id: string }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select(ACCOUNT_COLUMNS)
    .where('id', '=', p.id)
    .where('username_key', '>', FIRST_USERNAME_KEY),
)
const memberships = statement<{ ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('member')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('workspaces')])
    .where(dialect.inList('account_id', p.ids))
    .groupBy('account_id'),
)
const lastSeen = statement<{ ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('session')
    .select((eb) => ['account_id', eb.fn.max('last_seen_at').as('at')])
    .where(dialect.inList('account_id', p.ids))
    .groupBy('account_id'),
)
const totpAccounts = statement<{ ids: readonly string[] }>()((sql, p, dialect) =>
  sql.selectFrom('totp').select('account_id').where(dialect.inList('account_id', p.ids)),
)
const passkeyAccounts = statement<{ ids: readonly string[] }>()((sql, p, dialect) =>
  sql.selectFrom('passkey').select('account_id').distinct().where(dialect.inList('account_id', p.ids)),
)
const workspacesByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .select(['workspace.id', 'workspace.group_name', 'workspace.owner_id'])
    .where('member.account_id', '=', p.accountId)
    .where('workspace.hidden', 'is', null)
    .orderBy('workspace.group_key'),
)

const LIST = 'accounts'

/** Lists a page of the instance's accounts, by username. */
export async function listAccounts(db: Queries, input: AccountsQueryInput) {
  const page = parsePage(LIST, input, ['string'])
  const results = await db.all(accountsByName, {
    after: String(page.after?.[0] ?? FIRST_USERNAME_KEY),
    q: normalizeName(input.q ?? ''),
    minOperator: input.operators ? 1 : 0,
    minDisabledAt: input.disabled ? 0 : -1,
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.username_key])
  return { accounts: await presentAccounts(db, rows), nextCursor }
}

/** Reads an account's row. @throws AppError `not_found` */
export async function requireAccount(db: Queries, id: string): Promise<AccountRow> {
  const row = await db.first(byId, { id })
  if (!row) throw new AppError('not_found', { message: 'This account does not exist.' })
  return row
}

/** Reads one account in its API representation. @throws AppError `not_found` */
export async function getAccount(db: Queries, id: string) {
  const [account] = await presentAccounts(db, [await requireAccount(db, id)])
  if (!account) throw new Error('an existing account was not presented')
  return { account }
}

/** Reads one account with its workspaces. @throws AppError `not_found` */
export async function getAccountDetails(db: Queries, id: string) {
  const { account } = await getAccount(db, id)
  const workspaces = await db.all(workspacesByAccount, { accountId: id })
  return {
    account,
    workspaces: workspaces.map((row) => ({
      id: row.id,
      groupName: row.group_name,
      isOwner: wire.boolean.write(row.owner_id === id),
    })),
  }
}

async function presentAccounts(db: Queries, rows: readonly AccountRow[]) {
  const ids = rows.map((row) => row.id)
  const counts = new Map((await db.all(memberships, { ids })).map((row) => [row.account_id, row.workspaces]))
  const lastSeenById = new Map((await db.all(lastSeen, { ids })).map((row) => [row.account_id, row.at]))
  const withSecondFactor = new Set(
    [...(await db.all(totpAccounts, { ids })), ...(await db.all(passkeyAccounts, { ids }))].map(
      (row) => row.account_id,
    ),
  )
  return rows.map((row) => ({
    ...presentAccount({ id: row.id, username: row.username, isOperator: row.is_operator === 1 }),
    status: row.disabled_at === null ? 'active' : 'disabled',
    disabledAt: wire.writeNullableTime(row.disabled_at),
    createdAt: wire.time.write(row.created_at),
    lastSeenAt: wire.writeNullableTime(lastSeenById.get(row.id) ?? null),
    workspaces: String(counts.get(row.id) ?? 0),
    hasSecondFactor: wire.boolean.write(withSecondFactor.has(row.id)),
  }))
}
