import { appendAuditEntry } from '@reeve/audit'
import {
  type AppContext,
  assertCanOwnWorkspace,
  type CreatorWebhooks,
  type WorkspaceLimits,
} from '@reeve/auth'
import { type Actor, AppError, forbidden, OWNER_RANK, type Ports, requireFields } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import { assertCanAssignRoles, assignRoles, removeRoles, requireRoles } from './assign.ts'
import type { OwnershipInput } from './model.ts'
import { presentMember, requireMember } from './read.ts'
import { type CreationsChoice, settleCreations } from './settle-creations.ts'

const ownerRole = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('role').selectAll().where('workspace_id', '=', p.workspaceId).where('is_owner', '=', 1),
)
/** Updates no row if the workspace has a different owner by now. */
const updateOwner = statement<{ workspaceId: string; from: string; to: string; now: number }>()((sql, p) =>
  sql
    .updateTable('workspace')
    .set((eb) => ({ owner_id: p.to, updated_at: p.now, version: eb('version', '+', 1) }))
    .where('id', '=', p.workspaceId)
    .where('owner_id', '=', p.from),
)
const disabledAccountById = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('account').select('id').where('id', '=', p.accountId).where('disabled_at', 'is not', null),
)

/**
 * Transfers a workspace to another member. The former owner gets the roles in `roleIds`, none by default. The API keys that the
 * former owner created are revoked as requested; the others do not rank above the former owner's new roles. The webhooks of the former
 * owner are paused as requested.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @returns the step to run in the transaction
 * @throws AppError `forbidden` (`insufficient_rank`) for anyone but the owner; `invalid_request`; in the
 *   step also `not_found`, `conflict`
 */
export function transferOwnership(
  { ports, settings }: Pick<AppContext, 'ports' | 'settings'>,
  actor: Actor,
  input: OwnershipInput,
  pauseWebhooks: CreatorWebhooks['pause'],
) {
  if (actor.rank < OWNER_RANK) throw ownerRequired()
  const { accountId } = requireFields(input, 'accountId')
  return (tx: Transaction) =>
    transfer(tx, ports, settings, actor, { ...input, accountId, roleIds: input.roleIds ?? [] }, pauseWebhooks)
}

const ownerRequired = () => forbidden('insufficient_rank', 'Only the owner can transfer the workspace.')

async function transfer(
  tx: Transaction,
  ports: Ports,
  limits: WorkspaceLimits,
  actor: Actor,
  {
    accountId,
    roleIds,
    ...choice
  }: CreationsChoice & { readonly accountId: string; readonly roleIds: readonly string[] },
  pauseWebhooks: CreatorWebhooks['pause'],
) {
  const { workspaceId } = actor
  const [from, to] = [await requireMember(tx, actor, actor.id), await requireMember(tx, actor, accountId)]
  if (to.isOwner) throw new AppError('conflict', { message: `${to.username} is already the owner.` })
  if (await tx.first(disabledAccountById, { accountId })) {
    throw new AppError('conflict', {
      message: `The account of ${to.username} is disabled. The owner of a workspace must be able to sign in.`,
    })
  }
  await assertCanOwnWorkspace(tx, limits, accountId, `${to.username} owns`)
  const roles = await requireRoles(tx, workspaceId, roleIds)
  assertCanAssignRoles(actor, roles)
  const role = await tx.first(ownerRole, { workspaceId })
  if (!role) throw new Error(`workspace ${workspaceId} has no owner role`)
  // Of two concurrent transfers the first one wins: the actor of the second is no longer the owner.
  if ((await tx.run(updateOwner, { workspaceId, from: actor.id, to: accountId, now: ports.now() })) === 0)
    throw ownerRequired()
  await removeRoles(tx, { workspaceId, accountId: actor.id })
  await assignRoles(tx, ports, { workspaceId, accountId: actor.id }, roles)
  await assignRoles(tx, ports, { workspaceId, accountId }, [role])
  const owner = presentMember(await requireMember(tx, actor, accountId))
  const formerOwner = presentMember(await requireMember(tx, actor, actor.id))
  await settleCreations(tx, ports, actor, pauseWebhooks, { creatorId: actor.id, isReduced: true }, choice)
  await appendAuditEntry(tx, ports, actor, {
    action: 'workspaces.transfer',
    target: { kind: 'workspace', id: workspaceId },
    before: { ownerId: actor.id, owner: from.username },
    after: { ownerId: accountId, owner: owner.username, rolesOfFormerOwner: formerOwner.roles },
  })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  for (const id of [actor.id, accountId]) tx.announce({ kind: 'member', workspaceId, id })
  return { owner, formerOwner }
}
