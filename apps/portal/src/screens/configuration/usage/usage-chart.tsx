import { formatNumber } from '../../../format/number.ts'
import { useNow } from '../../../format/use-now.ts'
import classes from './chart.module.css'
import { formatGroup } from './group-labels.ts'
import { listDays, type Month } from './month.ts'
import { countRequests, type Grouping, type UsageRow } from './usage-data.ts'

/** The parts of a bar, from its start. */
const series = [
  { name: 'succeeded', label: 'Succeeded' },
  { name: 'refused', label: 'Rejected' },
  { name: 'failed', label: 'Failed' },
] as const

/** More bars are unreadable; the table lists all rows. */
const MAX_BARS = 10
/** How many days lie between two labels of the axis. */
const DAYS_PER_LABEL = 5

interface Props {
  readonly by: Grouping
  readonly rows: readonly UsageRow[]
  readonly month: Month
}

/**
 * A bar chart of the requests, hidden from screen readers: the table has the same data. In plain HTML, because a chart library
 * is larger than all other scripts of the screen together.
 */
export function UsageChart({ by, rows, month }: Props) {
  const days = listDays(month, useNow())
  const bars = by === 'day' ? days.map((day) => findDayRow(rows, day)) : rows.slice(0, MAX_BARS)
  const maximum = roundUp(Math.max(1, ...bars.map(countRequests)))
  const visibleSeries = series.filter(({ name }) => name === 'succeeded' || bars.some((bar) => bar[name] > 0))
  return (
    <div className={classes.chart} data-by={by === 'day' ? 'day' : 'name'} aria-hidden>
      {by === 'day' ? <span className={classes.maximum}>{formatNumber(maximum)}</span> : null}
      <div className={classes.bars}>
        {bars.map((row, index) => (
          <div key={row.group} className={classes.row} title={describeBar(by, row)}>
            <span className={classes.label}>
              {by === 'day' ? (index % DAYS_PER_LABEL === 0 ? index + 1 : null) : formatGroup(by, row)}
            </span>
            <span className={classes.bar}>
              {visibleSeries.map(({ name }) =>
                row[name] === 0 ? null : (
                  <span
                    key={name}
                    data-series={name}
                    style={{ flexBasis: `${(100 * row[name]) / maximum}%` }}
                  />
                ),
              )}
            </span>
          </div>
        ))}
      </div>
      <div className={classes.legend}>
        {visibleSeries.map(({ name, label }) => (
          <span key={name} data-series={name}>
            {label}
          </span>
        ))}
      </div>
    </div>
  )
}

const describeBar = (by: Grouping, row: UsageRow): string =>
  [
    formatGroup(by, row),
    ...series.flatMap(({ name, label }) => (row[name] === 0 ? [] : [`${label}: ${formatNumber(row[name])}`])),
  ].join('\n')

/** The next number of one significant digit, for the end of the axis. */
function roundUp(count: number): number {
  const unit = 10 ** Math.floor(Math.log10(count))
  return Math.ceil(count / unit) * unit
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
