import { formatPlayerName } from '../../../format/player-name.ts'
import { toLabel } from '../action-labels.ts'
import { formatMoment, formatRemaining, formatSanctionDuration } from '../format-time.ts'
import type { Approval } from './approvals-data.ts'

/** `permanent ban`, `ban of 2 years` */
export const formatRequested = ({ durationSeconds }: Pick<Approval, 'durationSeconds'>): string =>
  durationSeconds === null ? 'permanent ban' : `ban of ${formatSanctionDuration(Number(durationSeconds))}`

/** What a request in the inbox asks for, and until when. */
export const describeRequest = (
  request: Pick<Approval, 'durationSeconds' | 'expiresAt'>,
  now: number,
): string =>
  `${toLabel(formatRequested(request))} requested. The temporary ban ends ${formatMoment(request.expiresAt, now)}, ${formatRemaining(request.expiresAt, now)} left.`

const UNKNOWN_PERSON = 'somebody'

/** The state of a request in a sentence or two. */
export function describeApproval(approval: Approval, now: number): string {
  const { state, expiresAt, requestedByUsername, decidedByUsername, decidedAt } = approval
  const requester = requestedByUsername ?? UNKNOWN_PERSON
  const decider = decidedByUsername ?? UNKNOWN_PERSON
  const decided = decidedAt === null ? '' : ` ${formatMoment(decidedAt, now)}`
  switch (state) {
    case 'pending':
      return `${requester} requested a ${formatRequested(approval)}. Until somebody else decides, the player is banned until ${formatMoment(expiresAt, now)}, ${formatRemaining(expiresAt, now)} left.`
    case 'approved':
      return `${decider} approved the ${formatRequested(approval)} that ${requester} requested,${decided}.`
    case 'rejected':
      return `${decider} rejected the ${formatRequested(approval)} that ${requester} requested,${decided}.`
    case 'superseded':
      return `${requester} requested a ${formatRequested(approval)}, but the ban was lifted or replaced before a decision,${decided}.`
    default:
      return `${requester} requested a ${formatRequested(approval)}. Nobody decided in time: the temporary ban ended ${formatMoment(expiresAt, now)}.`
  }
}

/** What approving does. */
export const describeApprove = (approval: Approval): string =>
  approval.durationSeconds === null
    ? `${formatPlayerName(approval)} stays banned permanently, until somebody lifts the ban.`
    : `${formatPlayerName(approval)} stays banned for ${formatSanctionDuration(Number(approval.durationSeconds))} from the time of the ban.`

/** What rejecting does. */
export function describeReject(approval: Approval, now: number): string {
  const { earlierExpiresAt } = approval
  return earlierExpiresAt !== null && new Date(earlierExpiresAt).getTime() > now
    ? `${formatPlayerName(approval)} stays banned until ${formatMoment(earlierExpiresAt, now)}, when the ban that this one replaced would have ended.`
    : `The ban of ${formatPlayerName(approval)} ends at once. The case stays in the history, with your reason.`
}
