import { createHash } from 'node:crypto'

/** What belongs to no workspace changes under this name: accounts, sessions, and the chain of the instance. */
const INSTANCE = 'instance'

/**
 * The lock under which a statement of a unit runs, by what it is about. Whoever changes something of a workspace holds its
 * lock until the commit, so that what a unit has looked at stays as it is until the unit is done, on every replica.
 */
export function getLockName({ workspaceId, workspace_id }: Readonly<Record<string, unknown>>): string {
  return String(workspaceId ?? workspace_id ?? '') || INSTANCE
}

/** The number that stands for a name among the server's advisory locks, as SQL. */
export const lockKeySql = (name: string): string =>
  `${createHash('sha256').update(`reeve ${name}`).digest().readBigInt64BE()}::bigint`

/** Takes a lock until the end of the transaction, as SQL. */
export const acquireLockSql = (name: string): string => `select pg_advisory_xact_lock(${lockKeySql(name)})`
