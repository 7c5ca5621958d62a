import { type AuditTable, type Queries, statement } from '@reeve/db'
import { parseChanges } from './changes.ts'

const accountIds = statement()((sql) => sql.selectFrom('account').select('id'))

/** The action of the first entry of a workspace, unless it is a copy. */
export const WORKSPACE_CREATION = 'workspaces.create'

/** The action of the first entry of a copy, which names its archive. Archived workspaces that are used again have it too. */
export const WORKSPACE_RESTORATION = 'workspaces.restore'

/** The action of the entry of the instance about a new account. */
export const ACCOUNT_CREATION = 'accounts.create'

/** Whether a row says that its workspace was created, so that nothing of the workspace is older. */
export function isWorkspaceCreation({
  workspace_id,
  action,
  target_kind,
  target_id,
  changes,
}: AuditTable): boolean {
  if (target_kind !== 'workspace' || target_id !== workspace_id) return false
  if (action === WORKSPACE_CREATION) return true
  if (action !== WORKSPACE_RESTORATION || changes === null) return false
  return typeof parseChanges(changes).after?.fromArchive === 'string'
}

/**
 * Finds accounts whose creation is not in the chain of the instance. That chain has no first entry of its own: a failed sign-in can
 * come before the first account.
 */
export async function collectAccountCreations(read: Queries) {
  const missing = new Set((await read.all(accountIds, {})).map(({ id }) => id))
  return {
    /** Adds the next row of the chain. */
    add({ action, target_id }: AuditTable): void {
      if (action === ACCOUNT_CREATION) missing.delete(target_id)
    },
    /** The id of an account whose creation is not in the chain, once all rows were added; null if there is none. */
    findMissing: (): string | null => missing.values().next().value ?? null,
  }
}
