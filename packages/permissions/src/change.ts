import { appendAuditEntry } from '@reeve/audit'
import { type CreatorWebhooks, findSecondFactorPolicy, restrictKeys } from '@reeve/auth'
import {
  type Actor,
  AppError,
  assertCanGrant,
  assertCanManage,
  assertOutranks,
  assertSetsField,
  assertVersion,
  doesRoleNeedSecondFactor,
  type ExpectedVersions,
  findUngrantableLimits,
  forbidden,
  formatLimits,
  isWidened,
  limitNames,
  NO_LIMITS,
  normalizeName,
  type Permission,
  type Ports,
  parseLimits,
  type RoleLimits,
  requireFields,
  wire,
} from '@reeve/core'
import { insertRole, isSameRow, type RoleTable, statement, type Transaction, updateAll } from '@reeve/db'
import { applyLimitInput, uniqueViolationToConflict } from '@reeve/http'
import { getRolePermissions, MAX_ROLES, presentRole, type RoleInput } from './model.ts'
import { requireRole } from './read.ts'
import { type CreationsChoice, settleCreations } from './settle-creations.ts'

const countRoles = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('role')
    .select((eb) => eb.fn.countAll<number>().as('roles'))
    .where('workspace_id', '=', p.workspaceId),
)
const updateRow = statement<RoleTable>()((sql, p) =>
  updateAll(sql, 'role', p, { key: ['workspace_id', 'id'], except: ['is_owner', 'created_at'] }),
)
const membersByRole = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('member_role')
    .select('account_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('role_id', '=', p.id)
    .orderBy('account_id'),
)
const unassignRole = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('member_role').where('workspace_id', '=', p.workspaceId).where('role_id', '=', p.id),
)
const deleteRow = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('role').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

export type RoleChange = Omit<RoleInput, 'workspaceId'> & { ifMatch: ExpectedVersions }
/** A change without what it ends. */
type RoleReplacement = Omit<RoleChange, keyof CreationsChoice>

/**
 * Creates a role below the actor's rank. The actor must have every permission of the role.
 * @throws AppError `forbidden` (`insufficient_rank`, `missing_permission`), `conflict`
 */
export async function createRole(tx: Transaction, ports: Ports, actor: Actor, input: RoleChange) {
  const { name, rank } = requireFields(input, 'name', 'rank')
  const { color = null, permissions = [] } = input
  assertOutranks(actor, rank)
  assertCanGrant(actor, permissions)
  const limits = applyLimitInput(NO_LIMITS, input)
  assertCanGrantLimits(actor, permissions, limits)
  const total = await tx.first(countRoles, { workspaceId: actor.workspaceId })
  if ((total?.roles ?? 0) >= MAX_ROLES) {
    throw new AppError('conflict', {
      message: `A workspace can have at most ${MAX_ROLES} roles. Delete one first.`,
    })
  }
  const now = ports.now()
  const row: RoleTable = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    name,
    name_key: normalizeName(name),
    color,
    rank,
    permissions: wire.permissionSet.write(permissions),
    limits: formatLimits(limits),
    is_owner: 0,
    second_factor_since: await findSecondFactorStart(
      tx,
      { workspace_id: actor.workspaceId, second_factor_since: null },
      permissions,
      now,
    ),
    created_at: now,
    updated_at: now,
    version: 1,
  }
  await uniqueViolationToConflict(tx.run(insertRole, row), nameTakenMessage(name))
  return recordChange(tx, ports, actor, 'create', null, row)
}

/**
 * Changes the provided fields of a role; without a difference, it keeps its version. The actor must have every added permission; removing permissions only requires
 * outranking the role. The change applies to the role's members from their next request. Their API keys are revoked and their webhooks paused
 * as requested; keys that stay do not keep a rank or limits that their creators have lost.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`, `missing_permission`), `version_mismatch`, `conflict`;
 *   `invalid_request` as `settleCreations`
 */
export async function updateRole(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: RoleChange,
  pauseWebhooks: CreatorWebhooks['pause'],
) {
  const { response, isReduced } = await replaceRole(tx, ports, actor, input)
  await settleCreations(tx, ports, actor, pauseWebhooks, [response.role.id], input)
  if (isReduced) await restrictKeys(tx, ports, actor)
  return response
}

/** Replaces the permissions of a role as `updateRole` does, and ends nothing that its members created. */
export async function replacePermissions(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<RoleChange, 'id' | 'permissions' | 'ifMatch'>,
) {
  const { response, isReduced } = await replaceRole(tx, ports, actor, input)
  if (isReduced) await restrictKeys(tx, ports, actor)
  return response
}

/** As `replaceRow`, for the role with the id of the input. */
async function replaceRole(tx: Transaction, ports: Ports, actor: Actor, input: RoleReplacement) {
  const { id } = requireFields(input, 'id')
  assertSetsField(input, ['name', 'color', 'rank', 'permissions', ...limitNames])
  return replaceRow(tx, ports, actor, await requireRole(tx, actor, id), input)
}

/**
 * As `updateRole`, without what members created.
 * @param before the role before the change
 * @returns also whether members of the role may have lost a permission, rank or limit
 */
export async function replaceRow(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: RoleTable,
  input: RoleReplacement,
) {
  assertChangeable(actor, before, input.ifMatch)
  const { name = before.name, rank = before.rank, color = before.color } = input
  const currentPermissions = getRolePermissions(before)
  const permissions = input.permissions ?? currentPermissions
  assertOutranks(actor, rank)
  const currentLimits = parseLimits(before.limits)
  const limits = applyLimitInput(currentLimits, input)
  // Wider limits of a permission are more of it, which only somebody with the permission can give.
  const granted = permissions.filter(
    (permission) => !currentPermissions.includes(permission) || isWidened(permission, currentLimits, limits),
  )
  assertCanGrant(actor, granted)
  assertCanGrantLimits(actor, granted, limits)
  const secondFactorSince = await findSecondFactorStart(tx, before, permissions, ports.now())
  const after: RoleTable = {
    ...before,
    name,
    name_key: normalizeName(name),
    color,
    rank,
    permissions: wire.permissionSet.write(permissions),
    limits: formatLimits(limits),
    second_factor_since: secondFactorSince,
    updated_at: ports.now(),
    version: before.version + 1,
  }
  if (isSameRow(before, after)) return { response: { role: presentRole(before) }, isReduced: false }
  await uniqueViolationToConflict(tx.run(updateRow, after), nameTakenMessage(name))
  const isReduced =
    after.rank < before.rank || after.limits !== before.limits || after.permissions !== before.permissions
  return { response: await recordChange(tx, ports, actor, 'update', before, after), isReduced }
}

/**
 * Deletes a role and removes it from all members. Their API keys and webhooks as in `updateRole`.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @returns the role before the deletion
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `version_mismatch`, `conflict`
 */
export async function deleteRole(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: Pick<RoleChange, 'id' | 'ifMatch' | keyof CreationsChoice>,
  pauseWebhooks: CreatorWebhooks['pause'],
) {
  const role = await requireRole(tx, actor, requireFields(input, 'id').id)
  assertChangeable(actor, role, input.ifMatch)
  await settleCreations(tx, ports, actor, pauseWebhooks, [role.id], input)
  const key = { workspaceId: role.workspace_id, id: role.id }
  const heldBy = (await tx.all(membersByRole, key)).map((row) => row.account_id)
  await tx.run(unassignRole, key)
  await tx.run(deleteRow, key)
  await restrictKeys(tx, ports, actor)
  return recordChange(tx, ports, actor, 'delete', role, null, { heldBy })
}

/** @throws AppError `forbidden` (`over_limit`) for permissions that the actor has with stricter limits than the role grants */
function assertCanGrantLimits(actor: Actor, permissions: readonly Permission[], limits: RoleLimits): void {
  const [permission] = findUngrantableLimits(actor, { permissions, limits })
  if (permission === undefined) return
  throw forbidden(
    'over_limit',
    `Your own roles limit what you may do with ${permission}. Give the role limits that are at least as strict.`,
  )
}

/**
 * Since when the members of a role need a second factor.
 * @param before the role before the change
 * @param permissions those after the change
 * @param now epoch milliseconds
 * @returns epoch milliseconds; null if they need none
 */
async function findSecondFactorStart(
  tx: Transaction,
  before: Pick<RoleTable, 'workspace_id' | 'second_factor_since'>,
  permissions: readonly Permission[],
  now: number,
): Promise<number | null> {
  const policy = await findSecondFactorPolicy(tx, before.workspace_id)
  if (!doesRoleNeedSecondFactor({ permissions, isOwner: false }, policy)) return null
  return before.second_factor_since ?? now
}

/**
 * Asserts that the actor outranks a role, and that it has the expected version.
 * @throws AppError `forbidden` (`insufficient_rank`), `conflict` for the owner role, `version_mismatch`
 */
function assertChangeable(actor: Actor, role: RoleTable, expected: ExpectedVersions): void {
  assertCanManage(
    actor,
    { rank: role.rank, isOwner: role.is_owner === 1 },
    'The owner role has every permission and cannot be changed or deleted.',
  )
  assertVersion(role, expected)
}

const nameTakenMessage = (name: string): string => `A role named ${name} already exists.`

/** Writes a change of a role to the audit log and announces it. @returns the response */
async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: 'create' | 'update' | 'delete',
  before: RoleTable | null,
  after: RoleTable | null,
  extra: object = {},
) {
  const row = (after ?? before) as RoleTable
  await appendAuditEntry(tx, ports, actor, {
    action: `roles.${action}`,
    target: { kind: 'role', id: row.id },
    before: before && { ...presentRole(before), ...extra },
    after: after && presentRole(after),
  })
  tx.announce({ kind: 'role', workspaceId: row.workspace_id, id: row.id })
  return { role: presentRole(row) }
}
