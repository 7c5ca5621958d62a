import { appendAuditEntry } from '@reeve/audit'
import { listSecondFactors, parseSecondFactorPolicy } from '@reeve/auth'
import {
  type Actor,
  AppError,
  doesRoleNeedSecondFactor,
  forbidden,
  OWNER_RANK,
  type Ports,
  requireFields,
  type SecondFactorPolicy,
  wire,
} from '@reeve/core'
import { isSameRow, type Queries, statement, type Transaction, type WorkspaceTable } from '@reeve/db'
import type { SecondFactorPolicyInput } from './model.ts'
import { requireWorkspace } from './workspace-store.ts'

type PolicyColumns = Pick<WorkspaceTable, 'second_factor_permissions' | 'second_factor_grace_days'>

const updatePolicy = statement<PolicyColumns & { workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace')
    .set({
      second_factor_permissions: p.second_factor_permissions,
      second_factor_grace_days: p.second_factor_grace_days,
    })
    .where('id', '=', p.workspaceId),
)
const rolesOfWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('role')
    .select(['id', 'permissions', 'is_owner', 'second_factor_since'])
    .where('workspace_id', '=', p.workspaceId),
)
const updateRole = statement<{ workspaceId: string; id: string; since: number | null }>()((sql, p) =>
  sql
    .updateTable('role')
    .set({ second_factor_since: p.since })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
/** Members who need a second factor and have none. */
const membersWithoutFactor = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('member_role')
    .innerJoin('role', (join) =>
      join
        .onRef('role.workspace_id', '=', 'member_role.workspace_id')
        .onRef('role.id', '=', 'member_role.role_id'),
    )
    .select((eb) => eb.fn.count<number>('member_role.account_id').distinct().as('members'))
    .where('member_role.workspace_id', '=', p.workspaceId)
    .where('role.second_factor_since', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('passkey').select('id').whereRef('passkey.account_id', '=', 'member_role.account_id'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('totp')
            .select('created_at')
            .whereRef('totp.account_id', '=', 'member_role.account_id'),
        ),
      ),
    ),
)

/** A policy in the columns of a workspace. */
export const toSecondFactorColumns = (policy: SecondFactorPolicy | null): PolicyColumns => ({
  second_factor_permissions: policy === null ? null : wire.permissionSet.write(policy.permissions),
  second_factor_grace_days: policy === null ? null : policy.graceDays,
})

const presentPolicy = (policy: SecondFactorPolicy | null) => ({
  permissions: wire.permissionSet.write(policy?.permissions ?? []),
  graceDays: String(policy?.graceDays ?? 0),
})

/** @throws AppError `forbidden` for anyone but the owner: what it requires can keep every other member out */
function assertIsOwner(actor: Actor): void {
  if (actor.rank < OWNER_RANK)
    throw forbidden('insufficient_rank', 'Only the owner decides who needs a second factor in the workspace.')
}

/** What the actor's workspace requires, and how many members lack it. @throws AppError `forbidden` for anyone but the owner */
export async function readSecondFactorPolicy(db: Queries, actor: Actor) {
  assertIsOwner(actor)
  const policy = parseSecondFactorPolicy(await requireWorkspace(db, actor.workspaceId))
  const missing = await db.first(membersWithoutFactor, { workspaceId: actor.workspaceId })
  return { policy: presentPolicy(policy), membersWithoutSecondFactor: String(missing?.members ?? 0) }
}

/**
 * Decides of whom the workspace requires a second factor. The grace period of members who needed one before does not begin again.
 * @param input without permissions, nobody needs one
 * @throws AppError `forbidden` for anyone but the owner; `conflict` if the owner has no second factor
 */
export async function setSecondFactorPolicy(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: SecondFactorPolicyInput,
) {
  assertIsOwner(actor)
  const { permissions, graceDays } = requireFields(input, 'permissions', 'graceDays')
  const { workspaceId } = actor
  const before = parseSecondFactorPolicy(await requireWorkspace(tx, workspaceId))
  const after = permissions.length === 0 ? null : { permissions, graceDays }
  if (after !== null && (await listSecondFactors(tx, actor.id)).length === 0) {
    throw new AppError('conflict', {
      message:
        'Add a second factor to your own account first, under Your account. Otherwise you would lock yourself out.',
    })
  }
  const columns = toSecondFactorColumns(after)
  if (isSameRow(toSecondFactorColumns(before), columns)) return { policy: presentPolicy(before) }
  await tx.run(updatePolicy, { workspaceId, ...columns })
  await applyToRoles(tx, workspaceId, after, (since) => since ?? ports.now())
  await appendAuditEntry(tx, ports, actor, {
    action: 'workspaces.set_second_factor_policy',
    target: { kind: 'workspace', id: workspaceId },
    before: presentPolicy(before),
    after: presentPolicy(after),
  })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  return { policy: presentPolicy(after) }
}

/** Applies a policy to the restored roles of a workspace. Every grace period begins now. @param now epoch milliseconds */
export const restartSecondFactorPolicy = (
  tx: Transaction,
  workspaceId: string,
  policy: SecondFactorPolicy | null,
  now: number,
): Promise<void> => applyToRoles(tx, workspaceId, policy, () => now)

/** Sets since when each role needs a second factor. @param findStart gets since when it has needed one */
async function applyToRoles(
  tx: Transaction,
  workspaceId: string,
  policy: SecondFactorPolicy | null,
  findStart: (since: number | null) => number,
): Promise<void> {
  for (const row of await tx.all(rolesOfWorkspace, { workspaceId })) {
    const role = { permissions: wire.permissionSet.read(row.permissions), isOwner: row.is_owner === 1 }
    const since = doesRoleNeedSecondFactor(role, policy) ? findStart(row.second_factor_since) : null
    if (since !== row.second_factor_since) await tx.run(updateRole, { workspaceId, id: row.id, since })
  }
}
