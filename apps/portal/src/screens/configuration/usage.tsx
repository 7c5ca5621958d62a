import { Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { oneOf } from '../../app/filter-parsers.ts'
import { Card } from '../../components/card.tsx'
import { DownloadLink } from '../../components/download-link.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { QuotaBar } from '../../components/quota-bar.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { formatNumber, pluralize } from '../../format/number.ts'
import { useNow } from '../../format/use-now.ts'
import { groupingLabels } from './usage/group-labels.ts'
import {
  describeDayBoundary,
  formatMonth,
  getMonthRange,
  type Month,
  parsePastMonth,
  toMonth,
} from './usage/month.ts'
import { MonthPicker } from './usage/month-picker.tsx'
import { StorageCard } from './usage/storage-card.tsx'
import classes from './usage/usage.module.css'
import { UsageChart } from './usage/usage-chart.tsx'
import { type Grouping, type UsageRow, usageQuery } from './usage/usage-data.ts'
import { UsageTable } from './usage/usage-table.tsx'

const filterParsers = { month: parsePastMonth, by: oneOf('day', 'endpoint', 'actor') }

/** The API and portal requests of a workspace, and its storage. */
export function Usage() {
  if (useHasPermission('usage.view')) return <UsageContent />
  return (
    <Screen title="Usage">
      <Forbidden permission="usage.view" />
    </Screen>
  )
}

function UsageContent() {
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  const thisMonth = toMonth(now)
  const [filters, setFilters] = useFilters(filterParsers)
  const { month = thisMonth, by = 'day' } = filters
  const usage = useQuery(usageQuery(workspaceId, month, by))
  const isLoaded = usage.data !== undefined && !usage.isPlaceholderData

  const renderBody = () => {
    if (usage.isError && !isLoaded)
      return <ErrorState error={usage.error} retry={() => void usage.refetch()} />
    if (!isLoaded) return <Skeleton height={300} />
    return <UsageBreakdown by={by} rows={usage.data.rows} month={month} />
  }
  return (
    <Screen
      title="Usage"
      description="The storage of this workspace, and all requests to it, from programs and from this portal."
      isWide
      actions={
        <>
          <MonthPicker
            month={month}
            onSelect={(next) => setFilters({ month: next === thisMonth ? undefined : next })}
          />
          <DownloadLink
            format="CSV"
            path="/portal/api/usage.csv"
            query={{ workspaceId, by, ...getMonthRange(month) }}
          />
        </>
      }
    >
      {/* The heights are unknown before it has loaded: nothing is shown that would move. */}
      {usage.isPending ? <LoadingRows rows={1} height={480} /> : null}
      <Stack gap="md" display={usage.isPending ? 'none' : undefined}>
        {month === thisMonth ? (
          <div className={classes.quotas}>
            <QuotaCard month={usage.data?.month} isFailed={usage.isError} />
            {usage.data ? <StorageCard storage={usage.data.storage} /> : null}
          </div>
        ) : null}
        <Card title={`Requests in ${formatMonth(month)}`}>
          <Tabs
            value={by}
            onChange={(next) => setFilters({ by: next === 'day' ? undefined : (next ?? undefined) })}
          >
            <Tabs.List mb="md">
              {Object.entries(groupingLabels).map(([value, { tab }]) => (
                <Tabs.Tab key={value} value={value}>
                  {tab}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={by} aria-busy={!isLoaded && !usage.isError}>
              {renderBody()}
            </Tabs.Panel>
          </Tabs>
          <Text size="xs" c="dimmed" mt="md">
            Rejected: 4xx responses, for example because of a missing permission or a disabled endpoint.
            Failed: 5xx responses, caused by a server error. {describeDayBoundary(now)}
          </Text>
        </Card>
      </Stack>
    </Screen>
  )
}

interface QuotaProps {
  readonly month: { readonly calls: string; readonly quota: string | null } | undefined
  readonly isFailed: boolean
}

/** The quota and its use in the current month. */
const QuotaCard = ({ month, isFailed }: QuotaProps) => {
  if (!month) return isFailed ? null : <Skeleton height={112} />
  const { calls, quota } = month
  return (
    <Card title="Quota this month">
      {quota === null ? (
        <Text size="sm" c="dimmed">
          No quota: the number of requests is unlimited ({pluralize(calls, 'request')} so far this month). An
          operator of the instance can set a quota.
        </Text>
      ) : (
        <>
          <Text fz={28} fw={650} lh={1.2}>
            {formatNumber(calls)}
          </Text>
          <QuotaBar used={Number(calls)} quota={Number(quota)} />
        </>
      )}
    </Card>
  )
}

interface UsageBreakdownProps {
  readonly by: Grouping
  readonly rows: readonly UsageRow[]
  readonly month: Month
}

const UsageBreakdown = ({ by, rows, month }: UsageBreakdownProps) => {
  if (rows.length === 0) {
    return (
      <EmptyState icon={IconChartBar} title={`No requests in ${formatMonth(month)}`}>
        Requests by game servers, bots and this portal appear here by day, by endpoint and by key.
      </EmptyState>
    )
  }
  const sumOutcome = (outcome: 'refused' | 'failed') => rows.reduce((sum, row) => sum + row[outcome], 0)
  const requests =
    rows.reduce((sum, { succeeded }) => sum + succeeded, 0) + sumOutcome('refused') + sumOutcome('failed')
  return (
    <Stack gap="lg">
      <dl className={classes.totals}>
        <div>
          <dt>Requests</dt>
          <dd>{formatNumber(requests)}</dd>
        </div>
        <div>
          <dt>Rejected</dt>
          <dd>{formatNumber(sumOutcome('refused'))}</dd>
        </div>
        <div>
          <dt>Failed</dt>
          <dd>{formatNumber(sumOutcome('failed'))}</dd>
        </div>
      </dl>
      <div className={classes.columns}>
        <UsageChart by={by} rows={rows} month={month} />
        <UsageTable
          by={by}
          rows={rows}
          label={`Requests in ${formatMonth(month)}, ${groupingLabels[by].tab.toLowerCase()}`}
        />
      </div>
    </Stack>
  )
}
