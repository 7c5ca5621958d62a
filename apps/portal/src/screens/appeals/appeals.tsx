import { Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { appealStates } from '@reeve/core'
import { IconMessageReport } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { anyText, oneOf } from '../../app/filter-parsers.ts'
import { ClaimHolder } from '../../components/claim-holder.tsx'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { type AppealSummary, stateLabels, useAppeals } from './appeal-data.ts'
import classes from './appeals.module.css'
import { StateBadge } from './state-badge.tsx'
import { Statistics } from './statistics.tsx'

/** The appeals of a workspace. */
export function Appeals() {
  if (useHasPermission('appeals.view')) return <AppealsContent />
  return (
    <Screen title="Appeals">
      <Forbidden permission="appeals.view" />
    </Screen>
  )
}

const filterParsers = { state: oneOf('all', ...appealStates), userId: anyText, mine: oneOf('true') }

const stateOptions = [
  { value: '', label: 'Open' },
  { value: 'all', label: 'All' },
  ...appealStates.map((state) => ({ value: state, label: stateLabels[state].label })),
]

function AppealsContent() {
  const { id } = useWorkspace()
  const [filters, setFilters] = useFilters(filterParsers)
  const pages = useAppeals(id, filters)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <Screen
      title="Appeals"
      description="What players say about their bans. Those that wait longest are first."
    >
      <Statistics />
      <Group mb="md" align="end" gap="sm">
        <NativeSelect
          label="State"
          data={stateOptions}
          value={filters.state ?? ''}
          onChange={(event) => setFilters({ state: event.currentTarget.value || undefined })}
        />
        <TextInput
          label="Player ID"
          defaultValue={filters.userId ?? ''}
          onBlur={(event) => setFilters({ userId: event.currentTarget.value.trim() || undefined })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setFilters({ userId: event.currentTarget.value.trim() || undefined })
          }}
        />
        <Checkbox
          label="Claimed by me"
          mb="xs"
          checked={filters.mine === 'true'}
          onChange={(event) => setFilters({ mine: event.currentTarget.checked ? 'true' : undefined })}
        />
      </Group>
      <DataList
        pages={pages}
        rows={(page) => page.appeals}
        rowKey={(appeal) => appeal.id}
        label="Appeals"
        empty={
          <EmptyState icon={IconMessageReport} title={isFiltered ? 'No appeals match' : 'No open appeals'}>
            {isFiltered
              ? 'Change the filters to see others.'
              : 'Players appeal with the code of their ban, on the page /appeal of this server or in your game.'}
          </EmptyState>
        }
      >
        {(appeal) => <AppealRow appeal={appeal} />}
      </DataList>
    </Screen>
  )
}

function AppealRow({ appeal }: { readonly appeal: AppealSummary }) {
  const { id: workspaceId } = useWorkspace()
  const { id, userId, userUsername, caseNumber, state, submittedAt, claim, messageCount } = appeal
  return (
    <Link to="/w/$workspaceId/appeals/$id" params={{ workspaceId, id }} className={classes.row}>
      <span>
        {userUsername === null ? null : (
          <>
            <Text component="bdi" fw={600}>
              {userUsername}
            </Text>{' '}
          </>
        )}
        <Text component="span" style={{ overflowWrap: 'anywhere' }}>
          {userId}
        </Text>
        <Text component="span" display="block" size="sm" c="dimmed">
          Case {caseNumber} · <FormattedTime value={submittedAt} /> · {messageCount}{' '}
          {messageCount === '1' ? 'message' : 'messages'}
        </Text>
      </span>
      <Group gap="xs">
        <ClaimHolder claim={claim} />
        <StateBadge state={state} />
      </Group>
    </Link>
  )
}
