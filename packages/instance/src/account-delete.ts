import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type CreatorWebhooks, deleteCredentials } from '@reeve/auth'
import { type Actor, AppError, type Ports } from '@reeve/core'
import { deletedUsernameKey, statement, type Transaction } from '@reeve/db'
import { assertAnotherOperator } from './account-change.ts'
import { endAccountCreations } from './account-creations.ts'
import { getAccountDetails } from './account-read.ts'
import type { AccountDeletion } from './model.ts'

const markDeleted = statement<{ id: string; usernameKey: string; now: number }>()((sql, p) =>
  sql
    .updateTable('account')
    .set({
      username_key: p.usernameKey,
      username_skeleton: p.usernameKey,
      password_hash: null,
      email: null,
      email_key: null,
      user_handle: null,
      is_operator: 0,
      disabled_at: p.now,
      updated_at: p.now,
    })
    .where('id', '=', p.id),
)

/**
 * Deletes an account: its password, factors, linked identities and sessions, its e-mail address, its memberships and its operator access.
 * Its username can be used again.
 * What it created stays, under its name: records, audit entries, API keys, webhooks.
 * @param creations its API keys to revoke, and its webhooks to pause
 * @param effects `removeFromWorkspace` removes it from a workspace as a member; `pauseWebhooks` is the function of `CreatorWebhooks`
 * @returns the account as it was, and the workspaces that it was removed from
 * @throws AppError `not_found`; `conflict` for the last operator and the owner of a workspace
 */
export async function deleteAccount(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  id: string,
  creations: AccountDeletion,
  effects: {
    readonly removeFromWorkspace: (workspaceId: string) => Promise<unknown>
    readonly pauseWebhooks: CreatorWebhooks['pause']
  },
) {
  const { account, workspaces } = await getAccountDetails(tx, id)
  const isOperator = account.isOperator === 'true'
  if (isOperator && account.status === 'active') await assertAnotherOperator(tx, id)
  const owned = workspaces.filter(({ isOwner }) => isOwner === 'true')
  if (owned.length > 0) {
    const names = owned.map(({ groupName }) => groupName).join(', ')
    throw new AppError('conflict', {
      message: `${account.username} owns ${names}. Transfer every workspace to another member first.`,
    })
  }
  await endAccountCreations(tx, ports, actor, effects.pauseWebhooks, id, creations)
  for (const workspace of workspaces) await effects.removeFromWorkspace(workspace.id)
  await deleteCredentials(tx, id)
  await tx.run(markDeleted, { id, usernameKey: deletedUsernameKey(id), now: ports.now() })
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.delete',
    target: { kind: 'account', id },
    before: { username: account.username, isOperator, disabled: account.status === 'disabled' },
    chain: INSTANCE_CHAIN,
  })
  return { account, workspaces }
}
