import { accountColumns } from './account.ts'
import { activityByActorColumns, activityColumns, activityProgressColumns } from './activity.ts'
import { apiKeyColumns } from './api-key.ts'
import { archiveColumns, archiveImageColumns, archivePartColumns } from './archive.ts'
import { auditColumns } from './audit.ts'
import type { Row } from './column.ts'
import { departmentColumns } from './department.ts'
import { departmentMemberColumns } from './department-member.ts'
import { endpointControlColumns } from './endpoint-control.ts'
import { eventColumns } from './event.ts'
import { idempotencyColumns } from './idempotency.ts'
import { instanceSecretColumns } from './instance-secret.ts'
import { invitationColumns } from './invitation.ts'
import { jobColumns } from './job.ts'
import { mediaColumns, unusedImageColumns } from './media.ts'
import { memberColumns, memberRoleColumns } from './member.ts'
import { playerNameColumns } from './player-name.ts'
import { recordColumns } from './record.ts'
import { recordVersionColumns } from './record-version.ts'
import { redactionColumns } from './redaction.ts'
import { roleColumns } from './role.ts'
import { savedViewColumns } from './saved-view.ts'
import { sessionColumns } from './session.ts'
import { signInAttemptColumns } from './sign-in-attempt.ts'
import { usageColumns } from './usage.ts'
import { workspaceColumns } from './workspace.ts'
import { workspaceHeadColumns } from './workspace-head.ts'
import { workspaceJobColumns, workspaceJobRowColumns } from './workspace-job.ts'

/** The columns of every table, by its name in the database. */
export const tables = {
  account: accountColumns,
  activity: activityColumns,
  activity_by_actor: activityByActorColumns,
  activity_progress: activityProgressColumns,
  api_key: apiKeyColumns,
  archive: archiveColumns,
  archive_image: archiveImageColumns,
  archive_part: archivePartColumns,
  audit: auditColumns,
  department: departmentColumns,
  department_member: departmentMemberColumns,
  endpoint_control: endpointControlColumns,
  event: eventColumns,
  idempotency: idempotencyColumns,
  instance_secret: instanceSecretColumns,
  invitation: invitationColumns,
  job: jobColumns,
  media: mediaColumns,
  member: memberColumns,
  member_role: memberRoleColumns,
  player_name: playerNameColumns,
  record: recordColumns,
  record_version: recordVersionColumns,
  redaction: redactionColumns,
  role: roleColumns,
  saved_view: savedViewColumns,
  session: sessionColumns,
  sign_in_attempt: signInAttemptColumns,
  unused_image: unusedImageColumns,
  usage: usageColumns,
  workspace: workspaceColumns,
  workspace_head: workspaceHeadColumns,
  workspace_job: workspaceJobColumns,
  workspace_job_row: workspaceJobRowColumns,
}

/** The row of every table. */
export type Tables = { [Table in keyof typeof tables]: Row<(typeof tables)[Table]> }

export type * from './account.ts'
export type * from './activity.ts'
export type * from './api-key.ts'
export type * from './archive.ts'
export type * from './audit.ts'
export type * from './department.ts'
export type * from './department-member.ts'
export type * from './endpoint-control.ts'
export type * from './event.ts'
export type * from './idempotency.ts'
export type * from './instance-secret.ts'
export type * from './invitation.ts'
export type * from './job.ts'
export type * from './media.ts'
export type * from './member.ts'
export type * from './player-name.ts'
export type * from './record.ts'
export type * from './record-version.ts'
export type * from './redaction.ts'
export type * from './role.ts'
export type * from './saved-view.ts'
export type * from './session.ts'
export type * from './sign-in-attempt.ts'
export type * from './usage.ts'
export type * from './workspace.ts'
export type * from './workspace-head.ts'
export type * from './workspace-job.ts'
