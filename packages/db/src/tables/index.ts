import { accountColumns } from './account.ts'
import { accountIdentityColumns } from './account-identity.ts'
import { activityByActorColumns, activityColumns, activityProgressColumns } from './activity.ts'
import { apiKeyColumns } from './api-key.ts'
import { appealColumns, appealMessageColumns, appealSettingsColumns } from './appeal.ts'
import { approvalColumns } from './approval.ts'
import { archiveColumns, archiveImageColumns, archivePartColumns } from './archive.ts'
import { assignmentColumns } from './assignment.ts'
import { auditColumns } from './audit.ts'
import { batchColumns, batchItemColumns } from './batch.ts'
import { claimColumns } from './claim.ts'
import type { Row } from './column.ts'
import { deletedWorkspaceColumns } from './deleted-workspace.ts'
import { deliveryColumns, deliveryCursorColumns } from './delivery.ts'
import { departmentColumns } from './department.ts'
import { departmentMemberColumns } from './department-member.ts'
import { endpointControlColumns } from './endpoint-control.ts'
import { erasureColumns } from './erasure.ts'
import { eventColumns } from './event.ts'
import {
  archiveEvidenceColumns,
  evidenceFileColumns,
  evidenceObjectColumns,
  evidencePartColumns,
} from './evidence-file.ts'
import { formerMemberColumns } from './former-member.ts'
import { idempotencyColumns } from './idempotency.ts'
import { importColumns, importIssueColumns, importPartColumns } from './import.ts'
import {
  appealedBanColumns,
  reasonCountColumns,
  recordCountColumns,
  responseTimeColumns,
} from './insights.ts'
import { instanceSecretColumns } from './instance-secret.ts'
import { invitationColumns } from './invitation.ts'
import { jobColumns } from './job.ts'
import { knownDeviceColumns } from './known-device.ts'
import { ladderColumns } from './ladder.ts'
import { mailColumns } from './mail.ts'
import { mediaColumns, unusedImageColumns } from './media.ts'
import { memberColumns, memberRoleColumns } from './member.ts'
import { memberPlayerColumns } from './member-player.ts'
import { mentionColumns } from './mention.ts'
import { oneTimeTokenColumns } from './one-time-token.ts'
import { passkeyColumns } from './passkey.ts'
import { pinnedNoteColumns } from './pinned-note.ts'
import { playerLinkColumns } from './player-link.ts'
import { playerNameColumns } from './player-name.ts'
import { recentBanColumns } from './recent-ban.ts'
import { recordColumns } from './record.ts'
import { recordVersionColumns } from './record-version.ts'
import { recoveryCodeColumns } from './recovery-code.ts'
import { redactionColumns } from './redaction.ts'
import { retentionColumns, retentionRunColumns } from './retention.ts'
import { roleColumns } from './role.ts'
import { ruleVersionColumns } from './rule-version.ts'
import { savedViewColumns } from './saved-view.ts'
import { sessionColumns } from './session.ts'
import { signInAttemptColumns } from './sign-in-attempt.ts'
import { templateColumns } from './template.ts'
import { totpColumns } from './totp.ts'
import { usageColumns } from './usage.ts'
import { webhookColumns } from './webhook.ts'
import { workspaceColumns } from './workspace.ts'
import { workspaceHeadColumns } from './workspace-head.ts'
import { workspaceJobColumns, workspaceJobRowColumns } from './workspace-job.ts'
import { workspaceReportColumns } from './workspace-report.ts'

/** The columns of every table, by its name in the database. */
export const tables = {
  account: accountColumns,
  account_identity: accountIdentityColumns,
  activity: activityColumns,
  activity_by_actor: activityByActorColumns,
  activity_progress: activityProgressColumns,
  api_key: apiKeyColumns,
  appeal: appealColumns,
  appeal_message: appealMessageColumns,
  appeal_settings: appealSettingsColumns,
  appealed_ban: appealedBanColumns,
  approval: approvalColumns,
  archive: archiveColumns,
  archive_evidence: archiveEvidenceColumns,
  archive_image: archiveImageColumns,
  archive_part: archivePartColumns,
  assignment: assignmentColumns,
  audit: auditColumns,
  batch: batchColumns,
  batch_item: batchItemColumns,
  claim: claimColumns,
  deleted_workspace: deletedWorkspaceColumns,
  delivery: deliveryColumns,
  delivery_cursor: deliveryCursorColumns,
  department: departmentColumns,
  department_member: departmentMemberColumns,
  endpoint_control: endpointControlColumns,
  erasure: erasureColumns,
  event: eventColumns,
  evidence_file: evidenceFileColumns,
  evidence_object: evidenceObjectColumns,
  evidence_part: evidencePartColumns,
  former_member: formerMemberColumns,
  idempotency: idempotencyColumns,
  import: importColumns,
  import_issue: importIssueColumns,
  import_part: importPartColumns,
  instance_secret: instanceSecretColumns,
  invitation: invitationColumns,
  job: jobColumns,
  known_device: knownDeviceColumns,
  ladder: ladderColumns,
  mail: mailColumns,
  media: mediaColumns,
  member: memberColumns,
  member_player: memberPlayerColumns,
  member_role: memberRoleColumns,
  mention: mentionColumns,
  one_time_token: oneTimeTokenColumns,
  passkey: passkeyColumns,
  pinned_note: pinnedNoteColumns,
  player_link: playerLinkColumns,
  player_name: playerNameColumns,
  reason_count: reasonCountColumns,
  recent_ban: recentBanColumns,
  record: recordColumns,
  record_count: recordCountColumns,
  record_version: recordVersionColumns,
  recovery_code: recoveryCodeColumns,
  redaction: redactionColumns,
  response_time: responseTimeColumns,
  retention: retentionColumns,
  retention_run: retentionRunColumns,
  role: roleColumns,
  rule_version: ruleVersionColumns,
  saved_view: savedViewColumns,
  session: sessionColumns,
  sign_in_attempt: signInAttemptColumns,
  template: templateColumns,
  totp: totpColumns,
  unused_image: unusedImageColumns,
  usage: usageColumns,
  webhook: webhookColumns,
  workspace: workspaceColumns,
  workspace_head: workspaceHeadColumns,
  workspace_job: workspaceJobColumns,
  workspace_job_row: workspaceJobRowColumns,
  workspace_report: workspaceReportColumns,
}

/** The row of every table. */
export type Tables = { [Table in keyof typeof tables]: Row<(typeof tables)[Table]> }

export type * from './account.ts'
export type * from './account-identity.ts'
export type * from './activity.ts'
export type * from './api-key.ts'
export type * from './appeal.ts'
export type * from './approval.ts'
export type * from './archive.ts'
export type * from './assignment.ts'
export type * from './audit.ts'
export type * from './batch.ts'
export type * from './claim.ts'
export type * from './deleted-workspace.ts'
export type * from './delivery.ts'
export type * from './department.ts'
export type * from './department-member.ts'
export type * from './endpoint-control.ts'
export type * from './erasure.ts'
export type * from './event.ts'
export type * from './evidence-file.ts'
export type * from './former-member.ts'
export type * from './idempotency.ts'
export type * from './import.ts'
export type * from './insights.ts'
export type * from './instance-secret.ts'
export type * from './invitation.ts'
export type * from './job.ts'
export type * from './known-device.ts'
export type * from './ladder.ts'
export type * from './mail.ts'
export type * from './media.ts'
export type * from './member.ts'
export type * from './member-player.ts'
export type * from './mention.ts'
export type * from './one-time-token.ts'
export type * from './passkey.ts'
export type * from './pinned-note.ts'
export type * from './player-link.ts'
export type * from './player-name.ts'
export type * from './recent-ban.ts'
export type * from './record.ts'
export type * from './record-version.ts'
export type * from './recovery-code.ts'
export type * from './redaction.ts'
export type * from './retention.ts'
export type * from './role.ts'
export type * from './rule-version.ts'
export type * from './saved-view.ts'
export type * from './session.ts'
export type * from './sign-in-attempt.ts'
export type * from './template.ts'
export type * from './totp.ts'
export type * from './usage.ts'
export type * from './webhook.ts'
export type * from './workspace.ts'
export type * from './workspace-head.ts'
export type * from './workspace-job.ts'
export type * from './workspace-report.ts'
