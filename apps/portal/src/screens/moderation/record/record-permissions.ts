import { CREATE_PERMISSIONS, isSanctionKind, LIFT_PERMISSIONS } from '@reeve/core'
import type { Workspace } from '../../../api/me.ts'
import type { ModerationRecord } from '../queries.ts'

/** What a user can do with a record in its current state, by the server's rules, while moderation is on. */
export function getRecordPermissions(
  record: ModerationRecord,
  { permissions }: Pick<Workspace, 'permissions'>,
) {
  const { action, status, revokedAt, revokeReason, redactedAt, acknowledgedAt } = record
  const sanctionKind = isSanctionKind(action) ? action : null
  const isActive = sanctionKind !== null && status === 'active'
  const canLift = sanctionKind !== null && permissions.has(LIFT_PERMISSIONS[sanctionKind])
  const canIssue = sanctionKind !== null && permissions.has(CREATE_PERMISSIONS[sanctionKind])
  const canEdit = permissions.has('moderation.edit')
  return {
    edit: canEdit,
    /** Extending needs the permission to issue, shortening the permission to lift. */
    changeExpiry: canEdit && isActive && (canLift || canIssue),
    acknowledge: permissions.has('moderation.note') && acknowledgedAt === null,
    lift: isActive && canLift,
    revoke: permissions.has('moderation.revoke') && revokedAt === null && (!isActive || canLift),
    /** Lifting a redacted record adds a revoke reason, which can then be redacted as well. */
    redact: permissions.has('moderation.redact') && (redactedAt === null || revokeReason !== null),
  }
}
