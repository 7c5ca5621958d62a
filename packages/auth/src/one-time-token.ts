import type { Ports } from '@reeve/core'
import {
  type Database,
  insertAll,
  type OneTimeTokenTable,
  type Queries,
  runInSlices,
  statement,
  type Transaction,
} from '@reeve/db'
import { generateToken, hashToken } from './token.ts'

const insertToken = statement<OneTimeTokenTable>()((sql, p) => insertAll(sql, 'one_time_token', p))
const tokenByHash = statement<{ hash: string; purpose: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('one_time_token')
    .select(['account_id', 'data', 'created_at', 'expires_at'])
    .where('token_hash', '=', p.hash)
    .where('purpose', '=', p.purpose)
    .where('expires_at', '>', p.now),
)
const deleteToken = statement<{ hash: string; purpose: string }>()((sql, p) =>
  sql.deleteFrom('one_time_token').where('token_hash', '=', p.hash).where('purpose', '=', p.purpose),
)
const deleteTokensOfAccount = statement<{ accountId: string; purpose: string }>()((sql, p) =>
  sql.deleteFrom('one_time_token').where('account_id', '=', p.accountId).where('purpose', '=', p.purpose),
)
const deleteExpired = statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .deleteFrom('one_time_token')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('one_time_token')
        .select('token_hash')
        .where('expires_at', '<=', p.before)
        .orderBy('expires_at')
        .limit(p.limit),
    ),
)

/** What a one-time token is issued for. */
export interface OneTimeTokenInput<Data extends object> {
  /** Such as `second_factor`; the token works for nothing else. */
  readonly purpose: string
  /** The account it is issued to; null where the account is not known yet. */
  readonly accountId: string | null
  /** Kept until the token is used; never sent to the client. */
  readonly data: Data
  readonly lifetimeMs: number
}

/** What a one-time token was issued for. */
export interface OneTimeToken<Data extends object> {
  readonly accountId: string | null
  readonly data: Data
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
}

/** Issues a token of 256 random bits. @returns the token; only its hash is stored */
export async function issueOneTimeToken<Data extends object>(
  tx: Transaction,
  ports: Ports,
  { purpose, accountId, data, lifetimeMs }: OneTimeTokenInput<Data>,
): Promise<string> {
  const token = generateToken(ports)
  const now = ports.now()
  await tx.run(insertToken, {
    token_hash: hashToken(token),
    purpose,
    account_id: accountId,
    data: JSON.stringify(data),
    created_at: now,
    expires_at: now + lifetimeMs,
  })
  return token
}

/** Reads a token without using it up. @returns null if it is unknown, used, expired or for another purpose */
export async function findOneTimeToken<Data extends object>(
  db: Queries,
  ports: Ports,
  purpose: string,
  token: string,
): Promise<OneTimeToken<Data> | null> {
  const row = await db.first(tokenByHash, { hash: hashToken(token), purpose, now: ports.now() })
  if (!row) return null
  const data = JSON.parse(row.data) as Data
  return { accountId: row.account_id, data, createdAt: row.created_at, expiresAt: row.expires_at }
}

/**
 * Uses a token up. Of concurrent requests, also of several processes, only one gets it.
 * @returns null if it is unknown, used, expired or for another purpose
 */
export async function takeOneTimeToken<Data extends object>(
  tx: Transaction,
  ports: Ports,
  purpose: string,
  token: string,
): Promise<OneTimeToken<Data> | null> {
  const found = await findOneTimeToken<Data>(tx, ports, purpose, token)
  if (!found) return null
  return (await tx.run(deleteToken, { hash: hashToken(token), purpose })) > 0 ? found : null
}

/** Ends the unused tokens of an account for a purpose. @returns their number */
export const revokeOneTimeTokens = (tx: Transaction, accountId: string, purpose: string): Promise<number> =>
  tx.run(deleteTokensOfAccount, { accountId, purpose })

/** Deletes expired tokens. */
export const deleteExpiredTokens = (db: Database, ports: Ports, signal?: AbortSignal): Promise<void> =>
  runInSlices(db, deleteExpired, { before: ports.now() }, signal)
