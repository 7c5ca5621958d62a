import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, type Ports, requireFields } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import type { QuotaInput } from './model.ts'
import { presentQuota, workspaceQuota } from './read.ts'

const updateQuota = statement<{ workspaceId: string; quota: number | null }>()((sql, p) =>
  sql.updateTable('workspace').set({ monthly_quota: p.quota }).where('id', '=', p.workspaceId),
)

/**
 * Sets how many requests a workspace can send per calendar month (UTC); null is unlimited. Applies from the next request.
 * @throws AppError `not_found`
 */
export async function setQuota(tx: Transaction, ports: Ports, actor: Actor, input: QuotaInput) {
  const { workspaceId, monthlyQuota } = requireFields(input, 'workspaceId', 'monthlyQuota')
  const workspace = await tx.first(workspaceQuota, { workspaceId })
  if (!workspace) throw new AppError('not_found', { message: 'Workspace not found.' })
  const quota = { workspaceId, monthlyQuota: presentQuota(monthlyQuota) }
  if (workspace.monthly_quota === monthlyQuota) return { quota }
  await tx.run(updateQuota, { workspaceId, quota: monthlyQuota })
  await appendAuditEntry(tx, ports, actor, {
    action: 'quotas.set',
    target: { kind: 'workspace', id: workspaceId },
    before: { workspaceId, monthlyQuota: presentQuota(workspace.monthly_quota) },
    after: quota,
    chain: workspaceId,
  })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  return { quota }
}
