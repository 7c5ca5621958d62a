import { Anchor, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { calendarDay } from '../../app/filter-parsers.ts'
import { Card } from '../../components/card.tsx'
import { DayRangeFields } from '../../components/day-range-fields.tsx'
import { DownloadLink } from '../../components/download-link.tsx'
import { ErrorState } from '../../components/empty-error-loading.tsx'
import { ReadGate } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { toTimeRange } from '../../format/day-range.ts'
import { pluralize } from '../../format/number.ts'
import { CaseChart } from './case-chart.tsx'
import { type CountRow, CountTable } from './count-table.tsx'
import { DaysView } from './days-view.tsx'
import classes from './insights.module.css'
import { type Insights as InsightsData, insightsQuery } from './insights-query.ts'
import { ResponseTable } from './response-times.tsx'
import { formatShare, sumCounts } from './share.ts'

const parsers = { from: calendarDay, to: calendarDay }

/** How much staff moderate, and how quickly they respond. */
export function Insights() {
  if (useHasPermission('moderation.insights')) return <InsightsContent />
  return (
    <Screen title="Insights">
      <Forbidden permission="moderation.insights" />
    </Screen>
  )
}

const views = [
  { value: 'days', label: 'Per day' },
  { value: 'moderators', label: 'By moderator' },
  { value: 'reasons', label: 'By reason' },
  { value: 'responses', label: 'Response times' },
] as const

/** The list of cases has notes, too. */
const COUNTED_ACTIONS = 'ban,mute,warn,kick'

function InsightsContent() {
  const { id: workspaceId } = useWorkspace()
  const [range, setFilters] = useFilters(parsers)
  const times = toTimeRange({ ...range, zone: 'UTC' })
  const insights = useQuery(insightsQuery(workspaceId, times))
  const render = () => {
    if (insights.isError) return <ErrorState error={insights.error} retry={() => void insights.refetch()} />
    if (insights.isPending) return <Skeleton height={480} />
    return <Views insights={insights.data} workspaceId={workspaceId} times={times} />
  }
  return (
    <Screen
      title="Insights"
      description="Bans, mutes, warnings and kicks, and how quickly staff respond. Days are in UTC. Shows the last 30 days unless you choose dates."
    >
      <div className={classes.range}>
        <DayRangeFields
          range={{ ...range, zone: 'UTC' }}
          setRange={(change) =>
            setFilters(
              Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value || undefined])),
            )
          }
        />
      </div>
      <ReadGate endpoint="moderation">{render()}</ReadGate>
    </Screen>
  )
}

/** A chart of cases, and a table of all counts. */
const CountView = ({ by, rows }: { readonly by: 'moderator' | 'reason'; readonly rows: CountRow[] }) => (
  <>
    <CaseChart label={`Cases by ${by}`} rows={rows} />
    <CountTable label={`By ${by}`} heading={by === 'reason' ? 'Reason' : 'Moderator'} rows={rows} />
  </>
)

function Views({
  insights,
  workspaceId,
  times,
}: {
  readonly insights: InsightsData
  readonly workspaceId: string
  readonly times: ReturnType<typeof toTimeRange>
}) {
  const { totals, imported, days, moderators, reasons, responses } = insights
  const period = { from: days[0]?.day, to: days.at(-1)?.day, zone: 'UTC' }
  const tables = {
    days: <DaysView days={days} workspaceId={workspaceId} />,
    moderators: (
      <CountView
        by="moderator"
        rows={moderators.map(({ actorUserId, actorUsername, ...counts }) => ({
          key: actorUserId,
          name: (
            <Anchor
              component={Link}
              to={`/w/${workspaceId}/moderation/records`}
              search={{ actorId: actorUserId, action: COUNTED_ACTIONS, ...period } as never}
            >
              <bdi>{actorUsername ?? actorUserId}</bdi>
            </Anchor>
          ),
          counts,
        }))}
      />
    ),
    reasons: (
      <CountView
        by="reason"
        rows={reasons.map(({ reason, ...counts }) => ({ key: reason, name: <bdi>{reason}</bdi>, counts }))}
      />
    ),
    responses: <ResponseTable responses={responses} />,
  }
  return (
    <Stack gap="md">
      <Card title="Whole period">
        <Text>
          {pluralize(totals.bans, 'ban')}, {pluralize(totals.mutes, 'mute')},{' '}
          {pluralize(totals.warnings, 'warning')}, {pluralize(totals.kicks, 'kick')}.{' '}
          {formatShare(totals.lifted, sumCounts(totals))} were lifted or revoked since, and{' '}
          {formatShare(totals.appealed, Number(totals.bans))} of the bans were appealed.
        </Text>
        {imported === '0' ? null : (
          <Text size="sm" c="dimmed">
            Without{' '}
            <Anchor
              component={Link}
              to={`/w/${workspaceId}/moderation/records`}
              search={{ imported: 'true', action: COUNTED_ACTIONS, ...period } as never}
            >
              {pluralize(imported, 'imported case')}
            </Anchor>
            , which count only by reason.
          </Text>
        )}
      </Card>
      <Tabs defaultValue="days">
        <Tabs.List mb="md">
          {views.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {views.map(({ value }) => (
          <Tabs.Panel key={value} value={value}>
            <div className={classes.view}>{tables[value]}</div>
            <DownloadLink
              format="CSV"
              path="/portal/api/insights.csv"
              query={{ workspaceId, view: value, ...times }}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
