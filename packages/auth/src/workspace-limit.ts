import { AppError, forbidden } from '@reeve/core'
import { type Queries, sqlLiteral, statement } from '@reeve/db'
import type { Settings } from './settings.ts'

/** The settings that limit workspaces. */
export type WorkspaceLimits = Pick<Settings, 'workspacesPerAccount' | 'workspaceCreation'>

/** Includes archived workspaces and copies that are being built: they take up as much storage. */
const countOwned = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', p.accountId)
    .where((eb) => eb.or([eb('hidden', 'is', null), eb('hidden', '=', sqlLiteral('building'))])),
)
const operatorFlag = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('account').select('is_operator').where('id', '=', p.accountId),
)

/** How many workspaces an account owns, archived ones included. */
export const countOwnedWorkspaces = async (db: Queries, accountId: string): Promise<number> =>
  (await db.first(countOwned, { accountId }))?.count ?? 0

/**
 * Checks that an account may create workspaces and own one more.
 * @param ownerId the signed-in account; for an API key, the owner of its workspace
 * @param reserved how many of the account's workspaces are the new one itself
 * @throws AppError `forbidden` if only operators may create workspaces; `conflict` as `assertCanOwnWorkspace`
 */
export async function assertCanCreateWorkspace(
  db: Queries,
  limits: WorkspaceLimits,
  ownerId: string,
  reserved = 0,
): Promise<void> {
  if (limits.workspaceCreation === 'operators') {
    const account = await db.first(operatorFlag, { accountId: ownerId })
    if (account?.is_operator !== 1) {
      throw forbidden(
        'missing_permission',
        'On this instance, only operators create workspaces (REEVE_WORKSPACE_CREATION). Ask an operator to create one for you.',
      )
    }
  }
  await assertCanOwnWorkspace(db, limits, ownerId, 'You own', reserved)
}

/**
 * Checks that an account may own one more workspace.
 * @param subject who owns the workspaces, as the beginning of the message
 * @param reserved as `assertCanCreateWorkspace`
 * @throws AppError `conflict` at the limit
 */
export async function assertCanOwnWorkspace(
  db: Queries,
  { workspacesPerAccount: limit }: WorkspaceLimits,
  accountId: string,
  subject: string,
  reserved = 0,
): Promise<void> {
  if (limit === 0) return
  const owned = (await countOwnedWorkspaces(db, accountId)) - reserved
  if (owned < limit) return
  throw new AppError('conflict', {
    message:
      `${subject} ${owned} ${owned === 1 ? 'workspace' : 'workspaces'}, archived ones included, and the limit is ${limit} per account. ` +
      'An operator of this instance can raise it (REEVE_WORKSPACES_PER_ACCOUNT).',
  })
}
