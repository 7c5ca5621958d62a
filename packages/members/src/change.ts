import { appendAuditEntry } from '@reeve/audit'
import { accountNamed } from '@reeve/auth'
import { type Actor, AppError, assertOutranks, OWNER_RANK, type Ports, requireFields } from '@reeve/core'
import { insertMember, statement, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { giveRoles, needToAssign, type Place, rolesNamed, takeRoles } from './assign.ts'
import type { MemberInput } from './model.ts'
import { type Member, memberById, shownMember } from './read.ts'

const deleteMember = statement<Place>()((sql, p) =>
  sql.deleteFrom('member').where('workspace_id', '=', p.workspaceId).where('account_id', '=', p.accountId),
)

/**
 * Makes an existing account a member.
 * @throws AppError `not_found` for an unknown username, `conflict` for a member, `forbidden` for roles out of reach
 */
export async function addMember(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<MemberInput, 'username' | 'roleIds'>,
) {
  const { username } = requireFields(input, 'username')
  const roles = await rolesNamed(tx, actor.workspaceId, input.roleIds ?? [])
  needToAssign(actor, roles)
  const account = await accountNamed(tx, username)
  if (!account) {
    throw new AppError('not_found', { message: `There is no account named ${username} on this instance.` })
  }
  const place = { workspaceId: actor.workspaceId, accountId: account.id }
  await uniqueViolationToConflict(
    tx.run(insertMember, { ...place, now: ports.now() }),
    `${account.username} is a member already.`,
  )
  await giveRoles(tx, place, roles)
  const member = await memberById(tx, actor, account.id)
  return told(tx, ports, actor, 'add', null, member)
}

/**
 * Replaces the roles of a member below the actor's rank.
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`, `missing_permission`), `conflict` for the owner
 */
export async function setRoles(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<MemberInput, 'accountId' | 'roleIds'>,
) {
  const { accountId, roleIds } = requireFields(input, 'accountId', 'roleIds')
  const before = await memberById(tx, actor, accountId)
  needInReach(actor, before)
  const roles = await rolesNamed(tx, actor.workspaceId, roleIds)
  needToAssign(
    actor,
    roles.filter((role) => !before.roles.some((held) => held.id === role.id)),
  )
  const place = { workspaceId: actor.workspaceId, accountId }
  await takeRoles(tx, place)
  await giveRoles(tx, place, roles)
  return told(tx, ports, actor, 'set_roles', before, await memberById(tx, actor, accountId))
}

/**
 * Ends a membership: of a member below the actor's rank, or the actor's own. Answers with the member as it was.
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `conflict` for the owner
 */
export async function removeMember(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<MemberInput, 'accountId'>,
) {
  const { accountId } = requireFields(input, 'accountId')
  const member = await memberById(tx, actor, accountId)
  const isOneself = actor.kind === 'account' && actor.id === member.accountId
  if (!isOneself || member.isOwner) needInReach(actor, member)
  const place = { workspaceId: actor.workspaceId, accountId: member.accountId }
  await takeRoles(tx, place)
  await tx.run(deleteMember, place)
  return told(tx, ports, actor, isOneself ? 'leave' : 'remove', member, null)
}

function needInReach(actor: Actor, member: Member): void {
  if (member.isOwner && actor.rank >= OWNER_RANK) {
    throw new AppError('conflict', { message: 'The owner cannot be removed, or given other roles.' })
  }
  assertOutranks(actor, member.rank)
}

/** Writes the change into the log, tells who listens, and answers. */
export async function told(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  verb: 'add' | 'join' | 'set_roles' | 'remove' | 'leave',
  before: Member | null,
  after: Member | null,
) {
  const member = shownMember((after ?? before) as Member)
  await appendAuditEntry(tx, ports, actor, {
    action: `members.${verb}`,
    target: { kind: 'member', id: member.accountId },
    before: before && shownMember(before),
    after: after && shownMember(after),
  })
  tx.announce({ kind: 'member', workspaceId: actor.workspaceId, id: member.accountId })
  return { member }
}
