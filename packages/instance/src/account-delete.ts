import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { endAccountSessions } from '@reeve/auth'
import { type Actor, AppError, type Ports } from '@reeve/core'
import { deletedUsernameKey, statement, type Transaction } from '@reeve/db'
import { assertAnotherOperator } from './account-change.ts'
import { getAccountDetails } from './account-read.ts'

const markDeleted = statement<{ id: string; usernameKey: string; now: number }>()((sql, p) =>
  sql
    .updateTable('account')
    .set({
      username_key: p.usernameKey,
      password_hash: null,
      is_operator: 0,
      disabled_at: p.now,
      updated_at: p.now,
    })
    .where('id', '=', p.id),
)

/**
 * Deletes an account: its password and sessions, its memberships and its operator access. Its username can be used again.
 * What it created stays, under its name: records, audit entries, API keys.
 * @param removeFromWorkspace removes it from a workspace as a member
 * @returns the account as it was, and the workspaces that it was removed from
 * @throws AppError `not_found`; `conflict` for the last operator, the owner of a workspace and one's own account
 */
export async function deleteAccount(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  id: string,
  removeFromWorkspace: (workspaceId: string) => Promise<unknown>,
) {
  const { account, workspaces } = await getAccountDetails(tx, id)
  if (id === actor.id) throw new AppError('conflict', { message: 'You cannot delete your own account.' })
  const isOperator = account.isOperator === 'true'
  if (isOperator && account.status === 'active') await assertAnotherOperator(tx, id)
  const owned = workspaces.filter(({ isOwner }) => isOwner === 'true')
  if (owned.length > 0) {
    const names = owned.map(({ groupName }) => groupName).join(', ')
    throw new AppError('conflict', {
      message: `${account.username} owns ${names}. Transfer every workspace to another member first.`,
    })
  }
  for (const workspace of workspaces) await removeFromWorkspace(workspace.id)
  await endAccountSessions(tx, id)
  await tx.run(markDeleted, { id, usernameKey: deletedUsernameKey(id), now: ports.now() })
  await appendAuditEntry(tx, ports, actor, {
    action: 'accounts.delete',
    target: { kind: 'account', id },
    before: { username: account.username, isOperator, disabled: account.status === 'disabled' },
    chain: INSTANCE_CHAIN,
  })
  return { account, workspaces }
}
