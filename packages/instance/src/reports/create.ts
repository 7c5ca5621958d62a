import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, AppError, forbidden, type Ports, requireFields } from '@reeve/core'
import { insertAll, statement, type Transaction, type WorkspaceReportTable } from '@reeve/db'
import type { NewReportInput } from './model.ts'

/** Open reports of one account. */
export const MAX_OPEN_REPORTS = 20

const workspaceOfMember = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .select('workspace.group_name')
    .where('member.workspace_id', '=', p.workspaceId)
    .where('member.account_id', '=', p.accountId),
)
const workspaceOfInvitation = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('invitation')
    .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
    .select('workspace.group_name')
    .where('invitation.workspace_id', '=', p.workspaceId)
    .where('invitation.invitee_id', '=', p.accountId)
    .where('invitation.expires_at', '>', p.now)
    .limit(1),
)
const openReports = statement<{ reporterId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_report')
    .select('reported_workspace_id')
    .where('reporter_id', '=', p.reporterId)
    .where('resolved_at', 'is', null),
)
const insertReport = statement<WorkspaceReportTable>()((sql, p) => insertAll(sql, 'workspace_report', p))

/**
 * Reports a workspace to the operators. Nobody in the workspace learns of it.
 * @throws AppError `forbidden` (`not_a_member`) without a membership or an invitation, also for an unknown workspace;
 *   `conflict` if the account has already reported it, and at `MAX_OPEN_REPORTS`
 */
export async function createReport(tx: Transaction, ports: Ports, actor: Actor, input: NewReportInput) {
  const { workspaceId, message } = requireFields(input, 'workspaceId', 'message')
  const now = ports.now()
  const key = { workspaceId, accountId: actor.id }
  const workspace =
    (await tx.first(workspaceOfMember, key)) ?? (await tx.first(workspaceOfInvitation, { ...key, now }))
  if (!workspace) throw forbidden('not_a_member')
  const open = await tx.all(openReports, { reporterId: actor.id })
  if (open.some((report) => report.reported_workspace_id === workspaceId)) {
    throw new AppError('conflict', {
      message: 'You have already reported this workspace. The operators have not resolved that report yet.',
    })
  }
  if (open.length >= MAX_OPEN_REPORTS) {
    throw new AppError('conflict', {
      message: `An account can have at most ${MAX_OPEN_REPORTS} open reports.`,
    })
  }
  const row: WorkspaceReportTable = {
    id: ports.newId(),
    reported_workspace_id: workspaceId,
    group_name: workspace.group_name,
    reporter_id: actor.id,
    message,
    created_at: now,
    resolved_at: null,
    resolved_by: null,
  }
  await tx.run(insertReport, row)
  await appendAuditEntry(tx, ports, actor, {
    action: 'reports.create',
    target: { kind: 'report', id: row.id },
    after: { workspaceId, groupName: row.group_name },
    chain: INSTANCE_CHAIN,
  })
  return { id: row.id }
}
