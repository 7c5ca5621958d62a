import { DAY_MS, type Ports } from '@reeve/core'
import {
  type Database,
  insertAll,
  type KnownDeviceTable,
  type Queries,
  runInSlices,
  statement,
  type Transaction,
} from '@reeve/db'
import type { LoginAttempt } from '../throttle/attempts.ts'
import { generateToken, hashToken } from '../token.ts'

/** A browser is known this long after the last sign-in in it. */
export const DEVICE_LIFETIME_MS = 400 * DAY_MS
const MAX_DEVICES_PER_ACCOUNT = 50

const deviceOfAccount = statement<{ accountId: string; hash: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('known_device')
    .select('created_at')
    .where('account_id', '=', p.accountId)
    .where('token_hash', '=', p.hash)
    .where('last_seen_at', '>', p.since),
)
const deviceOfAnyAccount = statement<{ hash: string; since: number }>()((sql, p) =>
  sql
    .selectFrom('known_device')
    .select('account_id')
    .where('token_hash', '=', p.hash)
    .where('last_seen_at', '>', p.since)
    .limit(1),
)
const insertDevice = statement<KnownDeviceTable>()((sql, p) =>
  insertAll(sql, 'known_device', p).onConflict((conflict) =>
    conflict.columns(['account_id', 'token_hash']).doUpdateSet({ last_seen_at: p.last_seen_at }),
  ),
)
const excessDevices = statement<{ accountId: string; keep: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('known_device')
    .select('token_hash')
    .where('account_id', '=', p.accountId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('token_hash')
    .limit(p.limit)
    .offset(p.keep),
)
const deleteDevice = statement<{ accountId: string; hash: string }>()((sql, p) =>
  sql.deleteFrom('known_device').where('account_id', '=', p.accountId).where('token_hash', '=', p.hash),
)
const deleteDevices = statement<{ accountId: string }>()((sql, p) =>
  sql.deleteFrom('known_device').where('account_id', '=', p.accountId),
)
const deleteUnused = statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .deleteFrom('known_device')
    .where((eb) =>
      eb(
        eb.refTuple('account_id', 'token_hash'),
        'in',
        eb
          .selectFrom('known_device')
          .select(['account_id', 'token_hash'])
          .where('last_seen_at', '<=', p.before)
          .orderBy('last_seen_at')
          .limit(p.limit)
          .$asTuple('account_id', 'token_hash'),
      ),
    ),
)

/** Whether the account has signed in in the browser that has this token. */
export const isKnownDevice = async (
  db: Queries,
  ports: Ports,
  accountId: string,
  token: string,
): Promise<boolean> =>
  (await db.first(deviceOfAccount, {
    accountId,
    hash: hashToken(token),
    since: ports.now() - DEVICE_LIFETIME_MS,
  })) !== undefined

/** What the attempts of an account are counted by in a browser in which it has signed in. */
export const describeDevice = async (
  db: Queries,
  ports: Ports,
  accountId: string | undefined,
  token: string | null,
): Promise<Pick<LoginAttempt, 'credential' | 'isKnownDevice'>> =>
  accountId !== undefined && token !== null && (await isKnownDevice(db, ports, accountId, token))
    ? { credential: hashToken(token), isKnownDevice: true }
    : {}

/**
 * Remembers that an account has signed in in a browser. A browser keeps its token when another account signs in.
 * @param presented the token that the browser has; one that was not issued here is replaced
 * @returns the token for the cookie; only its hash is stored
 */
export async function rememberDevice(
  tx: Transaction,
  ports: Ports,
  accountId: string,
  presented: string | null,
): Promise<{ readonly token: string; readonly isNew: boolean }> {
  const now = ports.now()
  const since = now - DEVICE_LIFETIME_MS
  const wasIssued =
    presented !== null &&
    (await tx.first(deviceOfAnyAccount, { hash: hashToken(presented), since })) !== undefined
  const token = wasIssued ? presented : generateToken(ports)
  const isNew = !wasIssued || !(await isKnownDevice(tx, ports, accountId, token))
  const hash = hashToken(token)
  await tx.run(insertDevice, { account_id: accountId, token_hash: hash, created_at: now, last_seen_at: now })
  const excess = await tx.all(excessDevices, { accountId, keep: MAX_DEVICES_PER_ACCOUNT, limit: 10 })
  for (const row of excess) await tx.run(deleteDevice, { accountId, hash: row.token_hash })
  return { token, isNew }
}

/** Forgets the browsers of an account, so that all of them count as new. */
export const forgetDevices = (tx: Transaction, accountId: string): Promise<number> =>
  tx.run(deleteDevices, { accountId })

/** Deletes browsers in which nobody has signed in for a long time. */
export const deleteUnusedDevices = (db: Database, ports: Ports, signal?: AbortSignal): Promise<void> =>
  runInSlices(db, deleteUnused, { before: ports.now() - DEVICE_LIFETIME_MS }, signal)
