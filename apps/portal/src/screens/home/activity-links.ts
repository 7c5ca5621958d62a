import { isRecordAction } from '@reeve/core'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { toDay } from '../events/calendar.ts'
import type { OverviewSection } from './overview.ts'

/** A list with filters. */
export interface ListLink {
  readonly to: string
  readonly search: Readonly<Record<string, string>>
}

/** The start and end of a time span. */
interface Span {
  readonly from: string
  readonly to: string
}

/** The cases that an action created in a time span of whole days. */
export const linkToRecords = (workspaceId: string, action: string, { from, to }: Span): ListLink => ({
  to: `/w/${workspaceId}/moderation/records`,
  // The list filters by days, its last one included. What was imported counts as an import.
  search: { action, imported: 'false', from: toDay(from), to: toDay(Date.parse(to) - 1) },
})

/**
 * Links from today's counts to the lists of what was counted. Changes of cases are listed only in the audit log: these links
 * are null without permission to view it.
 */
export function useActivityLinks({ from, to }: OverviewSection<'done'>) {
  const { id } = useWorkspace()
  const canViewAudit = useHasPermission('audit.view')
  const today = toDay(from)
  const linkToAudit = (search: ListLink['search']): ListLink | null =>
    canViewAudit ? { to: `/w/${id}/audit`, search: { ...search, from: today, to: today } } : null
  return {
    all: linkToAudit({ what: 'moderation.*' }),
    linkToAction: (action: string): ListLink | null =>
      // These create a case each, so that the cases of the day are those that were counted.
      isRecordAction(action)
        ? linkToRecords(id, action, { from, to })
        : linkToAudit({ what: `moderation.${action}` }),
    linkToActor: (actorId: string): ListLink | null => linkToAudit({ who: actorId, what: 'moderation.*' }),
  }
}
