import { Badge, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { api, unwrap } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { oneOf } from '../../app/filter-parsers.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { useFilters } from '../../components/use-filters.ts'
import classes from './operator.module.css'
import { type ReportRow, readReports, reportsKey, useOperatorRefresh } from './operator-data.ts'

const filterParsers = { show: oneOf('all') }

/** What people reported about workspaces. */
export function Reports() {
  const [{ show }, setFilters] = useFilters(filterParsers)
  const isOpen = show === undefined
  const pages = usePages([...reportsKey, isOpen], (cursor) => readReports(isOpen, cursor))
  return (
    <Screen
      title="Reports"
      description="Workspaces that members and invited people have reported. The people in the workspace are not told."
    >
      <Group mb="md">
        <SegmentedControl
          aria-label="Report filter"
          value={show ?? ''}
          onChange={(value) => setFilters({ show: value === 'all' ? value : undefined })}
          data={[
            { value: '', label: 'Open' },
            { value: 'all', label: 'All' },
          ]}
        />
      </Group>
      <DataList
        pages={pages}
        label="Reports"
        rows={({ reports }) => reports}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconFlag} title={isOpen ? 'No open reports' : 'No reports'}>
            Members of a workspace, and people who were invited to it, can report it.
          </EmptyState>
        }
      >
        {(report) => <ReportLine report={report} />}
      </DataList>
    </Screen>
  )
}

function ReportLine({ report }: { readonly report: ReportRow }) {
  const refresh = useOperatorRefresh()
  const { id, workspaceId, groupName, owner, reporter, message, createdAt, resolvedAt } = report
  const resolve = () =>
    openConfirmDialog({
      title: `Resolve the report about ${groupName}?`,
      children: 'It is no longer listed as open. Nobody is notified.',
      confirmLabel: 'Resolve report',
      run: async () => {
        await unwrap(api.PATCH('/admin/api/reports', { body: { id } }))
        await refresh()
        notifySuccess(`Resolved the report about ${groupName}.`)
      },
    })
  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <Group gap={6}>
          <Text component="bdi" fw={550} size="sm">
            {groupName}
          </Text>
          {resolvedAt === null ? null : (
            <Badge size="sm" variant="light" color="gray">
              Resolved
            </Badge>
          )}
        </Group>
        <Text component="bdi" size="sm" className={classes.message}>
          {message}
        </Text>
        <Text size="sm" c="dimmed">
          {owner === null ? (
            'Deleted'
          ) : (
            <>
              Owner: <bdi>{owner}</bdi>
            </>
          )}{' '}
          · reported by <bdi>{reporter}</bdi> <FormattedTime value={createdAt} /> · workspace {workspaceId}
        </Text>
      </div>
      {resolvedAt === null ? (
        <Button variant="default" size="sm" onClick={resolve} aria-label={`Resolve: ${groupName}`}>
          Resolve…
        </Button>
      ) : null}
    </div>
  )
}
