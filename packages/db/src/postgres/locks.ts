import { createHash } from 'node:crypto'

/** The lock name for data outside of workspaces: accounts, sessions and the audit log of the instance. */
const INSTANCE = 'instance'

/**
 * The name of the lock for a statement, by its workspace. A transaction holds the lock of a workspace until the commit, so that
 * what it has read stays unchanged until then, on every replica.
 * @param params the parameters of the statement
 */
export function getLockName({ workspaceId, workspace_id }: Readonly<Record<string, unknown>>): string {
  return String(workspaceId ?? workspace_id ?? '') || INSTANCE
}

/** The key of an advisory lock, as SQL. */
export const lockKeySql = (name: string): string =>
  `${createHash('sha256').update(`reeve ${name}`).digest().readBigInt64BE()}::bigint`

/** Takes an advisory lock until the end of the transaction, as SQL. */
export const acquireLockSql = (name: string): string => `select pg_advisory_xact_lock(${lockKeySql(name)})`

/** Takes an advisory lock if it is free, without waiting, as SQL. Its column `acquired` says whether it was. */
export const tryAcquireLockSql = (name: string): string =>
  `select pg_try_advisory_xact_lock(${lockKeySql(name)}) as acquired`

/**
 * The order in which transactions wait for locks: that of the instance, then those of workspaces by ID. Two transactions that
 * need the same locks can never wait for each other.
 */
export function compareLocks(one: string, other: string): number {
  if (one === other) return 0
  if (one === INSTANCE || other === INSTANCE) return one === INSTANCE ? -1 : 1
  return one < other ? -1 : 1
}

/**
 * A transaction needs a lock that comes before one that it has, and another transaction holds it. Waiting for it could be a
 * deadlock, so the transaction is rolled back and takes its locks in order when it runs again.
 */
export class LockOutOfOrder extends Error {
  /** The locks to take first, in order. */
  readonly locks: readonly string[]
  constructor(locks: readonly string[]) {
    super('a lock is needed out of order')
    this.name = 'LockOutOfOrder'
    this.locks = locks.toSorted(compareLocks)
  }
}
