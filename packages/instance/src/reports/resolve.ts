import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, type Ports, requireFields } from '@reeve/core'
import { statement, type Transaction } from '@reeve/db'
import { presentReport, requireReport } from './read.ts'

const markResolved = statement<{ id: string; at: number; by: string }>()((sql, p) =>
  sql
    .updateTable('workspace_report')
    .set({ resolved_at: p.at, resolved_by: p.by })
    .where('id', '=', p.id)
    .where('resolved_at', 'is', null),
)

/** Marks a report as resolved. @throws AppError `not_found`, `conflict` if it is already resolved */
export async function resolveReport(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly id?: string },
) {
  const { id } = requireFields(input, 'id')
  const before = await requireReport(tx, id)
  if ((await tx.run(markResolved, { id, at: ports.now(), by: actor.id })) === 0)
    throw new AppError('conflict', { message: 'This report is already resolved.' })
  await appendAuditEntry(tx, ports, actor, {
    action: 'reports.resolve',
    target: { kind: 'report', id },
    after: { workspaceId: before.reported_workspace_id, groupName: before.group_name },
    chain: INSTANCE_CHAIN,
  })
  return { report: presentReport(await requireReport(tx, id)) }
}
