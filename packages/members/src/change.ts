import { appendAuditEntry } from '@reeve/audit'
import type { CreatorWebhooks } from '@reeve/auth'
import { type Actor, AppError, assertCanManage, hasSameIds, type Ports, requireFields } from '@reeve/core'
import { statement, type Transaction, upsertFormerMember } from '@reeve/db'
import { assertCanAssignRoles, type MemberKey, removeRoles, replaceRoles, requireRoles } from './assign.ts'
import { withdrawReceivedInvitations } from './invitations/pending.ts'
import type { MemberInput, RemoveMemberInput } from './model.ts'
import { type Member, presentMember, requireMember } from './read.ts'
import { settleCreations } from './settle-creations.ts'

const deleteMember = statement<MemberKey>()((sql, p) =>
  sql.deleteFrom('member').where('workspace_id', '=', p.workspaceId).where('account_id', '=', p.accountId),
)

/**
 * Replaces the roles of a member whom the actor outranks. Only added roles must be assignable by the actor. The member's API keys
 * are revoked and the member's webhooks paused as requested; keys that stay do not rank above the member.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`, `missing_permission`), `conflict` for the owner, `version_mismatch`
 */
export async function setRoles(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Omit<MemberInput, 'workspaceId'>,
  pauseWebhooks: CreatorWebhooks['pause'],
) {
  const { accountId, roleIds } = requireFields(input, 'accountId', 'roleIds')
  const before = await requireMember(tx, actor, accountId)
  assertCanManage(actor, before, OWNER_MESSAGE)
  const currentIds = before.roles.map(({ id }) => id)
  if (input.expectedRoleIds && !hasSameIds(input.expectedRoleIds, currentIds))
    throw new AppError('version_mismatch', {
      message: 'The member has other roles than in expectedRoleIds; read them again and retry.',
    })
  const roles = await requireRoles(tx, actor.workspaceId, roleIds)
  assertCanAssignRoles(
    actor,
    roles.filter(({ id }) => !currentIds.includes(id)),
  )
  if (hasSameIds(roleIds, currentIds)) {
    await settleCreations(tx, ports, actor, pauseWebhooks, { creatorId: accountId, isReduced: false }, input)
    return { member: presentMember(before) }
  }
  const key = { workspaceId: actor.workspaceId, accountId }
  await replaceRoles(tx, ports, key, { before: before.roles, after: roles })
  const after = await requireMember(tx, actor, accountId)
  const changed = await recordChange(tx, ports, actor, 'set_roles', before, after)
  await settleCreations(tx, ports, actor, pauseWebhooks, { creatorId: accountId, isReduced: true }, input)
  return changed
}

/**
 * Removes a member whom the actor outranks, or the actor itself, revokes the member's API keys and pauses the member's webhooks as
 * requested, and withdraws invitations to the member's username.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @returns the member before the removal
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `conflict` for the owner
 */
export async function removeMember(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Omit<RemoveMemberInput, 'workspaceId'>,
  pauseWebhooks: CreatorWebhooks['pause'],
) {
  const { accountId } = requireFields(input, 'accountId')
  const member = await requireMember(tx, actor, accountId)
  const isSelf = actor.kind === 'account' && actor.id === member.accountId
  if (!isSelf || member.isOwner) assertCanManage(actor, member, OWNER_MESSAGE)
  const creator = { creatorId: member.accountId, isReduced: false }
  await settleCreations(tx, ports, actor, pauseWebhooks, creator, input)
  const key = { workspaceId: actor.workspaceId, accountId: member.accountId }
  await removeRoles(tx, key)
  await tx.run(deleteMember, key)
  await tx.run(upsertFormerMember, {
    workspace_id: key.workspaceId,
    account_id: key.accountId,
    left_at: ports.now(),
    blank_sequence: null,
    blanked_at: null,
  })
  await withdrawReceivedInvitations(tx, ports, actor, key.accountId)
  return recordChange(tx, ports, actor, isSelf ? 'leave' : 'remove', member, null)
}

const OWNER_MESSAGE = 'The owner cannot be removed or given other roles. Transfer the workspace first.'

/** Writes a change of a member to the audit log and announces it. @returns the response */
export async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: 'join' | 'set_roles' | 'remove' | 'leave',
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
