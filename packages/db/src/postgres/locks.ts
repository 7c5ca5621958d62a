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
