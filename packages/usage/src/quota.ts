import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, assertSetsField, type Ports, requireFields } from '@reeve/core'
import { statement, type Transaction, type WorkspaceTable } from '@reeve/db'
import type { QuotaInput } from './model.ts'
import { presentQuota } from './read.ts'

type Quotas = Pick<WorkspaceTable, 'monthly_quota' | 'storage_quota'>

const workspaceQuotas = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .select(['monthly_quota', 'storage_quota'])
    .where('id', '=', p.workspaceId)
    .where('hidden', 'is', null),
)
const updateQuotas = statement<Quotas & { workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace')
    .set({ monthly_quota: p.monthly_quota, storage_quota: p.storage_quota })
    .where('id', '=', p.workspaceId),
)

/**
 * Sets how many requests a workspace can send per calendar month (UTC), and how many bytes it can store. Applies from the next request;
 * a quota that is absent stays.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function setQuota(tx: Transaction, ports: Ports, actor: Actor, input: QuotaInput) {
  const { workspaceId } = requireFields(input, 'workspaceId')
  assertSetsField(input, ['monthlyQuota', 'storageQuota'])
  const before = await tx.first(workspaceQuotas, { workspaceId })
  if (!before) throw new AppError('not_found', { message: 'Workspace not found.' })
  const after: Quotas = {
    monthly_quota: input.monthlyQuota === undefined ? before.monthly_quota : input.monthlyQuota,
    storage_quota: input.storageQuota === undefined ? before.storage_quota : input.storageQuota,
  }
  const quota = presentQuotas(workspaceId, after)
  if (after.monthly_quota === before.monthly_quota && after.storage_quota === before.storage_quota)
    return { quota }
  await tx.run(updateQuotas, { workspaceId, ...after })
  await appendAuditEntry(tx, ports, actor, {
    action: 'quotas.set',
    target: { kind: 'workspace', id: workspaceId },
    before: presentQuotas(workspaceId, before),
    after: quota,
    chain: workspaceId,
  })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  return { quota }
}

const presentQuotas = (workspaceId: string, quotas: Quotas) => ({
  workspaceId,
  monthlyQuota: presentQuota(quotas.monthly_quota),
  storageQuota: presentQuota(quotas.storage_quota),
})
