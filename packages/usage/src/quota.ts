import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, type Ports, requireFields } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import type { QuotaInput } from './model.ts'
import { presentQuota, workspaceQuota } from './read.ts'

const updateQuota = statement<{ workspaceId: string; quota: number | null }>()((sql, p) =>
  sql.updateTable('workspace').set({ monthly_quota: p.quota }).where('id', '=', p.workspaceId),
)

/**
 * Sets how many calls a workspace may make in a calendar month (UTC), or that it may make any number (null). It holds from
 * the next call on.
 * @throws AppError `not_found`
 */
export async function setQuota(tx: Transaction, ports: Ports, actor: Actor, input: QuotaInput) {
  const { workspaceId, monthlyQuota } = requireFields(input, 'workspaceId', 'monthlyQuota')
  const workspace = await tx.first(workspaceQuota, { workspaceId })
  if (!workspace) throw new AppError('not_found', { message: 'There is no such workspace.' })
  await tx.run(updateQuota, { workspaceId, quota: monthlyQuota })
  const quota = { workspaceId, monthlyQuota: presentQuota(monthlyQuota) }
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
