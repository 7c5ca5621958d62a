import type { Workspace } from '../../../api/me.ts'
import type { Entry } from '../data.ts'
import { liftingNeeds } from '../deeds.ts'
import { isRestraint, wordsOf } from '../words.ts'

/** What a reader may do with a record as it stands: the server's rules, so that nothing is offered that it refuses. */
export function rightsOn(record: Entry, { permissions, isArchived }: Workspace) {
  const { action, status, revokedAt, revokeReason, redactedAt, acknowledgedAt } = record
  const restraint = isRestraint(action) ? action : null
  const isInForce = restraint !== null && status === 'active'
  const mayLift = restraint !== null && permissions.has(liftingNeeds[restraint])
  const mayImpose = restraint !== null && permissions.has(wordsOf[restraint].permission)
  const mayEdit = !isArchived && permissions.has('moderation.edit')
  return {
    edit: mayEdit,
    /** Later takes what imposing takes, sooner what lifting takes. */
    moveEnd: mayEdit && isInForce && (mayLift || mayImpose),
    acknowledge: !isArchived && permissions.has('moderation.note') && acknowledgedAt === null,
    lift: !isArchived && isInForce && mayLift,
    revoke:
      !isArchived && permissions.has('moderation.revoke') && revokedAt === null && (!isInForce || mayLift),
    /** One that was lifted since has a new text, which can be blanked in its turn. */
    redact:
      !isArchived && permissions.has('moderation.redact') && (redactedAt === null || revokeReason !== null),
  }
}
