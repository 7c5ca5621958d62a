import { anyText, calendarDay, type Filters } from '../../app/filter-parsers.ts'
import { toTimeRange } from '../../format/day-range.ts'
import { caseNumbersFilter, playerIdsFilter } from '../moderation/record-filters.ts'

/** The filters in the URL's search parameters. */
export const auditFilterParsers = {
  who: anyText,
  what: anyText,
  /** Ids of targets, case numbers and player ids, each separated by commas: a change matches one of them. */
  record: anyText,
  caseNumber: caseNumbersFilter,
  userId: playerIdsFilter,
  /** Texts that can mean several targets or none, until the reader has chosen. */
  find: anyText,
  /** First day, in the user's time zone; `to` is the last day. */
  from: calendarDay,
  to: calendarDay,
}

export type AuditFilters = Filters<typeof auditFilterParsers>

/** The filters as query parameters of the API. */
export const auditQuery = (
  workspaceId: string,
  { who, what, record, caseNumber, userId, from, to }: AuditFilters,
) => ({
  workspaceId,
  ...(who !== undefined && { actorId: who }),
  ...(what !== undefined && { action: what }),
  ...(record !== undefined && { targetId: record }),
  ...(caseNumber !== undefined && { caseNumber }),
  ...(userId !== undefined && { userId }),
  ...toTimeRange({ from, to }),
})
