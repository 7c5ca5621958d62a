import { type CreatorWebhooks, restrictKeys } from '@reeve/auth'
import { type Actor, AppError, type Ports, requireFields } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { type RoleChange, replaceRow } from './change.ts'
import type { PermissionChange, RankChange } from './model.ts'
import { listRoles, requireRole } from './read.ts'
import { revokeRoleKeys } from './role-keys.ts'
import { type CreationsChoice, settleCreations } from './settle-creations.ts'

/** Changes of several roles in one request: of all of them, or of none if one of them cannot be changed. The error names that one. */

/**
 * Changes the ranks of several roles. API keys as in `updateRole`.
 * @returns all roles, highest rank first
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `version_mismatch`, `conflict`;
 *   `invalid_request` as `revokeRoleKeys`
 */
export async function changeRanks(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly ranks?: readonly RankChange[]; readonly revokeKeyIds?: readonly string[] },
) {
  const { ranks } = requireFields(input, 'ranks')
  const isReduced = await replaceRows(tx, ports, actor, ranks)
  const roleIds = ranks.map(({ id }) => id)
  await revokeRoleKeys(tx, ports, actor, { roleIds, ids: input.revokeKeyIds ?? [] })
  if (isReduced) await restrictKeys(tx, ports, actor)
  return listRoles(tx, actor)
}

/**
 * Replaces the permissions of several roles. API keys and webhooks as in `updateRole`, chosen among those of the members of all these roles.
 * @param pauseWebhooks the function of `CreatorWebhooks`
 * @returns all roles, highest rank first
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`, `missing_permission`, `over_limit`), `version_mismatch`, `conflict`;
 *   `invalid_request` as `settleCreations`
 */
export async function changePermissions(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: CreationsChoice & { readonly roles?: readonly PermissionChange[] },
  pauseWebhooks: CreatorWebhooks['pause'],
) {
  const { roles } = requireFields(input, 'roles')
  const isReduced = await replaceRows(tx, ports, actor, roles)
  const roleIds = roles.map(({ id }) => id)
  await settleCreations(tx, ports, actor, pauseWebhooks, roleIds, input)
  if (isReduced) await restrictKeys(tx, ports, actor)
  return listRoles(tx, actor)
}

/** @returns whether members of one of the roles may have lost a permission, rank or limit */
async function replaceRows(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  changes: readonly (RankChange | PermissionChange)[],
): Promise<boolean> {
  let isReduced = false
  for (const { version, ...change } of changes) {
    const role = await requireRole(tx, actor, change.id)
    const input: RoleChange = { ...change, ifMatch: [version] }
    const replaced = await replaceRow(tx, ports, actor, role, input).catch((error) => {
      throw nameRole(error, role.name)
    })
    isReduced ||= replaced.isReduced
  }
  return isReduced
}

/** The error of a change of one of several roles, with the role in its message. */
function nameRole(error: unknown, name: string): unknown {
  if (!(error instanceof AppError)) return error
  const message =
    error.code === 'version_mismatch'
      ? `“${name}” was changed by someone else in the meantime.`
      : `“${name}” cannot be changed. ${error.message}`
  return new AppError(error.code, { ...error.options, message })
}
