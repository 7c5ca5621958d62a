import { audit } from '@reeve/audit'
import { type Actor, AppError, needed, type Ports } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import type { QuotaInput } from './model.ts'
import { shownQuota } from './read.ts'

const byId = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('monthly_quota').where('id', '=', p.workspaceId),
)
const update = statement<{ workspaceId: string; quota: number | null }>()((sql, p) =>
  sql.updateTable('workspace').set({ monthly_quota: p.quota }).where('id', '=', p.workspaceId),
)

/**
 * Sets how many calls a workspace may make in a calendar month (UTC), or that it may make any number (null). It holds from
 * the next call on.
 * @throws AppError `not_found`
 */
export async function setQuota(tx: Transaction, ports: Ports, actor: Actor, input: QuotaInput) {
  const { workspaceId, monthlyQuota } = needed(input, 'workspaceId', 'monthlyQuota')
  const workspace = await tx.first(byId, { workspaceId })
  if (!workspace) throw new AppError('not_found', { message: 'There is no such workspace.' })
  await tx.run(update, { workspaceId, quota: monthlyQuota })
  const quota = { workspaceId, monthlyQuota: shownQuota(monthlyQuota) }
  await audit(tx, ports, actor, {
    action: 'quotas.set',
    target: { kind: 'workspace', id: workspaceId },
    before: { workspaceId, monthlyQuota: shownQuota(workspace.monthly_quota) },
    after: quota,
    chain: workspaceId,
  })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  return { quota }
}
