import { Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { CsvLink } from '../../components/csv-link.tsx'
import { NotForYou } from '../../components/not-for-you.tsx'
import { QuotaBar } from '../../components/quota-bar.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { oneOf, useFilters } from '../../components/use-filters.ts'
import { count, number } from '../../format/number.ts'
import { useNow } from '../../format/use-now.ts'
import { groupings } from './usage/group-words.ts'
import { dayBegins, type Month, monthOf, monthWords, pastMonth, spanOf } from './usage/month.ts'
import { MonthPicker } from './usage/month-picker.tsx'
import classes from './usage/usage.module.css'
import { UsageChart } from './usage/usage-chart.tsx'
import { type Grouping, type Sum, usageQuery } from './usage/usage-data.ts'
import { UsageTable } from './usage/usage-table.tsx'

const readers = { month: pastMonth, by: oneOf('day', 'endpoint', 'actor') }

/** How much the workspace asked of Reeve. */
export function Usage() {
  if (useMay('usage.view')) return <KnownUsage />
  return (
    <Screen title="Usage">
      <NotForYou permission="usage.view" />
    </Screen>
  )
}

function KnownUsage() {
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  const thisMonth = monthOf(now)
  const [filters, setFilters] = useFilters(readers)
  const { month = thisMonth, by = 'day' } = filters
  const usage = useQuery(usageQuery(workspaceId, month, by))
  const isShown = usage.data !== undefined && !usage.isPlaceholderData

  const body = () => {
    if (usage.isError && !isShown)
      return <ErrorState error={usage.error} retry={() => void usage.refetch()} />
    if (!isShown) return <Skeleton height={300} />
    return <Calls by={by} sums={usage.data.sums} month={month} />
  }
  return (
    <Screen
      title="Usage"
      description="Every call that reaches this workspace is counted: those of programs, and those of the pages here."
      isWide
      actions={
        <>
          <MonthPicker
            month={month}
            choose={(next) => setFilters({ month: next === thisMonth ? undefined : next })}
          />
          <CsvLink address="/portal/api/usage.csv" query={{ workspaceId, by, ...spanOf(month) }} />
        </>
      }
    >
      <Stack gap="md">
        {month === thisMonth ? <QuotaCard month={usage.data?.month} isFailed={usage.isError} /> : null}
        <Card title={`Calls in ${monthWords(month)}`}>
          <Tabs
            value={by}
            onChange={(next) => setFilters({ by: next === 'day' ? undefined : (next ?? undefined) })}
          >
            <Tabs.List mb="md">
              {Object.entries(groupings).map(([value, { tab }]) => (
                <Tabs.Tab key={value} value={value}>
                  {tab}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={by} aria-busy={!isShown && !usage.isError}>
              {body()}
            </Tabs.Panel>
          </Tabs>
          <Text size="xs" c="dimmed" mt="md">
            Refused: answered 4xx, such as for want of a permission, or by a switched-off endpoint. Failed:
            answered 5xx, a fault of this server. {dayBegins(now)}
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

/** What the running month has used of what it may. */
const QuotaCard = ({ month, isFailed }: QuotaProps) => {
  if (!month) return isFailed ? null : <Skeleton height={112} />
  const { calls, quota } = month
  return (
    <Card title="Quota this month">
      {quota === null ? (
        <Text size="sm" c="dimmed">
          None: the {count(calls, 'call')} of this month, and all that follow, are answered. An operator of
          the instance can set one.
        </Text>
      ) : (
        <>
          <Text fz={28} fw={650} lh={1.2}>
            {number(calls)}
          </Text>
          <QuotaBar calls={Number(calls)} quota={Number(quota)} />
        </>
      )}
    </Card>
  )
}

interface CallsProps {
  readonly by: Grouping
  readonly sums: readonly Sum[]
  readonly month: Month
}

const Calls = ({ by, sums, month }: CallsProps) => {
  if (sums.length === 0) {
    return (
      <EmptyState icon={IconChartBar} title={`No calls in ${monthWords(month)}`}>
        Once a game server, a bot or somebody on these pages asks for something here, it is counted, and shown
        by day, by endpoint and by who asked.
      </EmptyState>
    )
  }
  const total = (of: 'refused' | 'failed') => sums.reduce((sum, one) => sum + one[of], 0)
  const calls = sums.reduce((sum, { answered }) => sum + answered, 0) + total('refused') + total('failed')
  return (
    <Stack gap="lg">
      <dl className={classes.figures}>
        <div>
          <dt>Calls</dt>
          <dd>{number(calls)}</dd>
        </div>
        <div>
          <dt>Refused</dt>
          <dd>{number(total('refused'))}</dd>
        </div>
        <div>
          <dt>Failed</dt>
          <dd>{number(total('failed'))}</dd>
        </div>
      </dl>
      <div className={classes.beside}>
        <UsageChart by={by} sums={sums} month={month} />
        <UsageTable
          by={by}
          sums={sums}
          label={`Calls in ${monthWords(month)}, ${groupings[by].tab.toLowerCase()}`}
        />
      </div>
    </Stack>
  )
}
