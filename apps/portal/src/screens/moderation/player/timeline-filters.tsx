import { Group, Select } from '@mantine/core'
import { isSanctionKind, recordActions } from '@reeve/core'
import { type Filters, oneOf } from '../../../app/filter-parsers.ts'
import { ClearFiltersButton } from '../../../components/clear-filters-button.tsx'
import { actionInfo } from '../action-labels.ts'
import { ActionFilter } from '../filters/action-filter.tsx'
import { recordsQuery } from '../queries.ts'
import { actionsFilter, joinValues, parseActions, type RecordFilters } from '../record-filters.ts'

/** The filters of a timeline in the URL. */
export const timelineFilterParsers = { action: actionsFilter, show: oneOf('not-revoked', 'in-force') }

export type TimelineFilters = Filters<typeof timelineFilterParsers>

const SANCTIONS = recordActions.filter(isSanctionKind)

/** Converts the filters to query parameters of the API. Only bans and mutes can be in force. */
function toRecordFilters({ action, show }: TimelineFilters): RecordFilters {
  if (show !== 'in-force') {
    return {
      ...(action !== undefined && { action }),
      ...(show === 'not-revoked' && { status: 'active,expired,superseded' }),
    }
  }
  const sanctions = parseActions(action).filter(isSanctionKind)
  return { status: 'active', action: (sanctions.length > 0 ? sanctions : SANCTIONS).join(',') }
}

/** The records of a player, newest first. */
export const timelineQuery = (workspaceId: string, userId: string, filters: TimelineFilters) =>
  recordsQuery(workspaceId, { userId, ...toRecordFilters(filters) })

interface Props {
  readonly filters: TimelineFilters
  readonly setFilters: (
    change: {
      readonly [Name in keyof TimelineFilters]?: string | undefined
    },
  ) => void
}

/** Filters a timeline by action, and hides what is revoked or no longer in force. */
export function TimelineFilterBar({ filters: { action, show }, setFilters }: Props) {
  const actions = show === 'in-force' ? SANCTIONS : recordActions
  const selected = parseActions(action).filter((candidate) =>
    (actions as readonly string[]).includes(candidate),
  )
  return (
    <Group component="search" aria-label="History filters" gap="sm" mb="md" align="flex-end">
      <ActionFilter
        label="Action"
        actions={actions.map((value) => ({ value, label: actionInfo[value].noun }))}
        value={joinValues(selected)}
        apply={(value) => setFilters({ action: value })}
      />
      <Select
        label="Show"
        allowDeselect={false}
        data={[
          { value: '', label: 'All cases' },
          { value: 'not-revoked', label: 'Not revoked' },
          { value: 'in-force', label: 'In force now' },
        ]}
        value={show ?? ''}
        onChange={(value) => setFilters({ show: value ?? undefined })}
      />
      {action === undefined && show === undefined ? null : (
        <ClearFiltersButton onClick={() => setFilters({ action: undefined, show: undefined })} />
      )}
    </Group>
  )
}
