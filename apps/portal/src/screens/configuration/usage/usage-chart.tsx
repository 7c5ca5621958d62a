import { BarChart } from '@mantine/charts'
import { number } from '../../../format/number.ts'
import { useNow } from '../../../format/use-now.ts'
import { groupWords } from './group-words.ts'
import { daysOf, type Month } from './month.ts'
import classes from './usage.module.css'
import type { Grouping, Sum } from './usage-data.ts'

const series = [
  { name: 'answered', label: 'Answered', color: 'var(--usage-answered)' },
  { name: 'refused', label: 'Refused', color: 'var(--usage-refused)' },
  { name: 'failed', label: 'Failed', color: 'var(--usage-failed)' },
]

/** More bars than this tell nobody anything; the table beside has them all. */
const MOST_BARS = 10
const LONGEST_NAME = 16
const BAR_HEIGHT = 40
const AROUND_BARS = 80

interface Props {
  readonly by: Grouping
  readonly sums: readonly Sum[]
  readonly month: Month
}

/** The calls as bars, for the eye: the table beside says the same, and to everybody. */
export function UsageChart({ by, sums, month }: Props) {
  const days = daysOf(month, useNow())
  const bars = by === 'day' ? days.map((day) => ofDay(sums, day)) : sums.slice(0, MOST_BARS)
  const data = bars.map(({ answered, refused, failed, ...of }, index) => ({
    label: by === 'day' ? groupWords(by, of) : `${index}`,
    answered,
    refused,
    failed,
  }))
  const nameAt = (index: string) => groupWords(by, bars[Number(index)] ?? { group: '', name: null })
  const shared = {
    data,
    dataKey: 'label',
    series: series.filter(({ name }) => name === 'answered' || data.some((one) => one[name as 'failed'] > 0)),
    type: 'stacked' as const,
    withLegend: true,
    valueFormatter: number,
    accessibilityLayer: false,
    maxBarWidth: 28,
  }
  return (
    <div className={classes.chart} aria-hidden>
      {by === 'day' ? (
        <BarChart {...shared} h={300} xAxisProps={{ tickFormatter: shortDay }} />
      ) : (
        <BarChart
          {...shared}
          h={bars.length * BAR_HEIGHT + AROUND_BARS}
          orientation="vertical"
          gridAxis="y"
          yAxisProps={{ width: 124, tickFormatter: (index: string) => shortened(nameAt(index)) }}
          tooltipProps={{ labelFormatter: (index) => nameAt(String(index)) }}
        />
      )}
    </div>
  )
}

const ofDay = (sums: readonly Sum[], day: string): Sum =>
  sums.find(({ group }) => group === day) ?? {
    group: day,
    name: null,
    kind: null,
    answered: 0,
    refused: 0,
    failed: 0,
  }

/** The number of the day: the month is named above. */
const shortDay = (label: string): string => /\d+/.exec(label)?.[0] ?? label

const shortened = (name: string): string =>
  [...name].length > LONGEST_NAME ? `${[...name].slice(0, LONGEST_NAME - 1).join('')}…` : name
