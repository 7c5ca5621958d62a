import { BarChart } from '@mantine/charts'
import { formatNumber } from '../../../format/number.ts'
import { useNow } from '../../../format/use-now.ts'
import { formatGroup } from './group-labels.ts'
import { listDays, type Month } from './month.ts'
import classes from './usage.module.css'
import type { Grouping, UsageRow } from './usage-data.ts'

const series = [
  { name: 'succeeded', label: 'Succeeded', color: 'var(--usage-succeeded)' },
  { name: 'refused', label: 'Rejected', color: 'var(--usage-refused)' },
  { name: 'failed', label: 'Failed', color: 'var(--usage-failed)' },
]

/** More bars are unreadable; the table lists all rows. */
const MAX_BARS = 10
const MAX_NAME_LENGTH = 16
const BAR_HEIGHT = 40
const CHART_PADDING = 80

interface Props {
  readonly by: Grouping
  readonly rows: readonly UsageRow[]
  readonly month: Month
}

/** A bar chart of the requests, hidden from screen readers: the table has the same data. */
export function UsageChart({ by, rows, month }: Props) {
  const days = listDays(month, useNow())
  const bars = by === 'day' ? days.map((day) => findDayRow(rows, day)) : rows.slice(0, MAX_BARS)
  const data = bars.map(({ succeeded, refused, failed, ...row }, index) => ({
    label: by === 'day' ? formatGroup(by, row) : `${index}`,
    succeeded,
    refused,
    failed,
  }))
  const getGroupName = (index: string) => formatGroup(by, bars[Number(index)] ?? { group: '', name: null })
  const commonProps = {
    data,
    dataKey: 'label',
    series: series.filter(
      ({ name }) => name === 'succeeded' || data.some((bar) => bar[name as 'failed'] > 0),
    ),
    type: 'stacked' as const,
    withLegend: true,
    valueFormatter: formatNumber,
    accessibilityLayer: false,
    maxBarWidth: 28,
  }
  return (
    <div className={classes.chart} aria-hidden>
      {by === 'day' ? (
        <BarChart {...commonProps} h={300} xAxisProps={{ tickFormatter: formatDayNumber }} />
      ) : (
        <BarChart
          {...commonProps}
          h={bars.length * BAR_HEIGHT + CHART_PADDING}
          orientation="vertical"
          gridAxis="y"
          yAxisProps={{ width: 124, tickFormatter: (index: string) => truncateName(getGroupName(index)) }}
          tooltipProps={{ labelFormatter: (index) => getGroupName(String(index)) }}
        />
      )}
    </div>
  )
}

const findDayRow = (rows: readonly UsageRow[], day: string): UsageRow =>
  rows.find(({ group }) => group === day) ?? {
    group: day,
    name: null,
    kind: null,
    succeeded: 0,
    refused: 0,
    failed: 0,
  }

/** Only the day of the month: the heading has the month. */
const formatDayNumber = (label: string): string => /\d+/.exec(label)?.[0] ?? label

const truncateName = (name: string): string =>
  [...name].length > MAX_NAME_LENGTH ? `${[...name].slice(0, MAX_NAME_LENGTH - 1).join('')}…` : name
