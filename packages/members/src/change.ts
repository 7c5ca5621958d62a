import { appendAuditEntry } from '@reeve/audit'
import { findAccountByUsername } from '@reeve/auth'
import { type Actor, AppError, assertCanManage, type Ports, requireFields } from '@reeve/core'
import { insertMember, statement, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { assertCanAssignRoles, assignRoles, type MemberKey, removeRoles, requireRoles } from './assign.ts'
import type { MemberInput } from './model.ts'
import { type Member, presentMember, requireMember } from './read.ts'

const deleteMember = statement<MemberKey>()((sql, p) =>
  sql.deleteFrom('member').where('workspace_id', '=', p.workspaceId).where('account_id', '=', p.accountId),
)

/**
 * Adds an existing account as a member.
 * @throws AppError `not_found` for an unknown username, `conflict` for a member, and as `assertCanAssignRoles`
 */
export async function addMember(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<MemberInput, 'username' | 'roleIds'>,
) {
  const { username } = requireFields(input, 'username')
  const roles = await requireRoles(tx, actor.workspaceId, input.roleIds ?? [])
  assertCanAssignRoles(actor, roles)
  const account = await findAccountByUsername(tx, username)
  if (!account) {
    throw new AppError('not_found', { message: `There is no account named ${username} on this instance.` })
  }
  const key = { workspaceId: actor.workspaceId, accountId: account.id }
  await uniqueViolationToConflict(
    tx.run(insertMember, { ...key, now: ports.now() }),
    `${account.username} is already a member.`,
  )
  await assignRoles(tx, key, roles)
  const member = await requireMember(tx, actor, account.id)
  return recordChange(tx, ports, actor, 'add', null, member)
}

/**
 * Replaces the roles of a member whom the actor outranks. Only added roles must be assignable by the actor.
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`, `missing_permission`), `conflict` for the owner
 */
export async function setRoles(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<MemberInput, 'accountId' | 'roleIds'>,
) {
  const { accountId, roleIds } = requireFields(input, 'accountId', 'roleIds')
  const before = await requireMember(tx, actor, accountId)
  assertCanManage(actor, before, OWNER_MESSAGE)
  const roles = await requireRoles(tx, actor.workspaceId, roleIds)
  assertCanAssignRoles(
    actor,
    roles.filter((role) => !before.roles.some((current) => current.id === role.id)),
  )
  const currentIds = new Set(before.roles.map(({ id }) => id))
  if (roles.length === currentIds.size && roles.every(({ id }) => currentIds.has(id))) {
    return { member: presentMember(before) }
  }
  const key = { workspaceId: actor.workspaceId, accountId }
  await removeRoles(tx, key)
  await assignRoles(tx, key, roles)
  return recordChange(tx, ports, actor, 'set_roles', before, await requireMember(tx, actor, accountId))
}

/**
 * Removes a member whom the actor outranks, or the actor itself.
 * @returns the member before the removal
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `conflict` for the owner
 */
export async function removeMember(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<MemberInput, 'accountId'>,
) {
  const { accountId } = requireFields(input, 'accountId')
  const member = await requireMember(tx, actor, accountId)
  const isSelf = actor.kind === 'account' && actor.id === member.accountId
  if (!isSelf || member.isOwner) assertCanManage(actor, member, OWNER_MESSAGE)
  const key = { workspaceId: actor.workspaceId, accountId: member.accountId }
  await removeRoles(tx, key)
  await tx.run(deleteMember, key)
  return recordChange(tx, ports, actor, isSelf ? 'leave' : 'remove', member, null)
}

const OWNER_MESSAGE = 'The owner cannot be removed or given other roles. Transfer the workspace first.'

/** Writes a change of a member to the audit log and announces it. @returns the response */
export async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: 'add' | 'join' | 'set_roles' | 'remove' | 'leave',
  before: Member | null,
  after: Member | null,
) {
  const member = presentMember((after ?? before) as Member)
  await appendAuditEntry(tx, ports, actor, {
    action: `members.${action}`,
    target: { kind: 'member', id: member.accountId },
    before: before && presentMember(before),
    after: after && presentMember(after),
  })
  tx.announce({ kind: 'member', workspaceId: actor.workspaceId, id: member.accountId })
  return { member }
}
