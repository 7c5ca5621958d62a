import type { AccountTable } from './account.ts'
import type { ApiKeyTable } from './api-key.ts'
import type { ArchivePartTable, ArchiveTable } from './archive.ts'
import type { AuditTable } from './audit.ts'
import type { DepartmentTable } from './department.ts'
import type { DepartmentMemberTable } from './department-member.ts'
import type { EndpointControlTable } from './endpoint-control.ts'
import type { EventTable } from './event.ts'
import type { IdempotencyTable } from './idempotency.ts'
import type { InvitationTable } from './invitation.ts'
import type { JobTable } from './job.ts'
import type { MediaTable } from './media.ts'
import type { MemberRoleTable, MemberTable } from './member.ts'
import type { RecordTable } from './record.ts'
import type { RecordVersionTable } from './record-version.ts'
import type { RoleTable } from './role.ts'
import type { SessionTable } from './session.ts'
import type { SignInFailureTable } from './sign-in-failure.ts'
import type { UsageTable } from './usage.ts'
import type { WorkspaceTable } from './workspace.ts'
import type { WorkspaceHeadTable } from './workspace-head.ts'

/** Every table, by its name in the database. */
export interface Tables {
  account: AccountTable
  api_key: ApiKeyTable
  archive: ArchiveTable
  archive_part: ArchivePartTable
  audit: AuditTable
  department: DepartmentTable
  department_member: DepartmentMemberTable
  endpoint_control: EndpointControlTable
  event: EventTable
  idempotency: IdempotencyTable
  invitation: InvitationTable
  job: JobTable
  media: MediaTable
  member: MemberTable
  member_role: MemberRoleTable
  record: RecordTable
  record_version: RecordVersionTable
  role: RoleTable
  session: SessionTable
  sign_in_failure: SignInFailureTable
  usage: UsageTable
  workspace: WorkspaceTable
  workspace_head: WorkspaceHeadTable
}

export type * from './account.ts'
export type * from './api-key.ts'
export type * from './archive.ts'
export type * from './audit.ts'
export type * from './department.ts'
export type * from './department-member.ts'
export type * from './endpoint-control.ts'
export type * from './event.ts'
export type * from './idempotency.ts'
export type * from './invitation.ts'
export type * from './job.ts'
export type * from './media.ts'
export type * from './member.ts'
export type * from './record.ts'
export type * from './record-version.ts'
export type * from './role.ts'
export type * from './session.ts'
export type * from './sign-in-failure.ts'
export type * from './usage.ts'
export type * from './workspace.ts'
export type * from './workspace-head.ts'
