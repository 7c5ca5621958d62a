import { CREATE_PERMISSIONS, isSanctionKind, LIFT_PERMISSIONS } from '@reeve/core'
import type { Workspace } from '../../../api/me.ts'
import type { ModerationRecord } from '../queries.ts'

/** What a reader may do with a record as it stands: the server's rules, so that nothing is offered that it refuses. */
export function getRecordPermissions(record: ModerationRecord, { permissions, isArchived }: Workspace) {
  const { action, status, revokedAt, revokeReason, redactedAt, acknowledgedAt } = record
  const sanctionKind = isSanctionKind(action) ? action : null
  const isActive = sanctionKind !== null && status === 'active'
  const canLift = sanctionKind !== null && permissions.has(LIFT_PERMISSIONS[sanctionKind])
  const canIssue = sanctionKind !== null && permissions.has(CREATE_PERMISSIONS[sanctionKind])
  const canEdit = !isArchived && permissions.has('moderation.edit')
  return {
    edit: canEdit,
    /** Later takes what imposing takes, sooner what lifting takes. */
    changeExpiry: canEdit && isActive && (canLift || canIssue),
    acknowledge: !isArchived && permissions.has('moderation.note') && acknowledgedAt === null,
    lift: !isArchived && isActive && canLift,
    revoke:
      !isArchived && permissions.has('moderation.revoke') && revokedAt === null && (!isActive || canLift),
    /** One that was lifted since has a new text, which can be blanked in its turn. */
    redact:
      !isArchived && permissions.has('moderation.redact') && (redactedAt === null || revokeReason !== null),
  }
}
