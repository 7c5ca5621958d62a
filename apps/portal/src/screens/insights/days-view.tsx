import { Stack } from '@mantine/core'
import { DailyChart } from '../../components/daily-chart.tsx'
import { locale } from '../../format/locale.ts'
import { formatNumber, pluralize } from '../../format/number.ts'
import { groupDays } from './chart-bars.ts'
import { CountTable } from './count-table.tsx'
import type { Insights } from './insights-query.ts'

const dayOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const dayFormat = new Intl.DateTimeFormat(locale, dayOptions)
const dayOfYearFormat = new Intl.DateTimeFormat(locale, { ...dayOptions, year: 'numeric' })

const charts = [
  { key: 'bans', title: 'Bans', action: 'ban', noun: 'ban', color: 'red' },
  { key: 'mutes', title: 'Mutes', action: 'mute', noun: 'mute', color: 'yellow' },
  { key: 'warnings', title: 'Warnings', action: 'warn', noun: 'warning', color: 'yellow' },
] as const

type Days = readonly Insights['days'][number][]
type CountKey = (typeof charts)[number]['key']

const sumDays = (days: Days, key: CountKey): number => days.reduce((sum, day) => sum + Number(day[key]), 0)

/** A chart of the whole period for each kind of case, and a table of all days. */
export function DaysView({ days, workspaceId }: { readonly days: Days; readonly workspaceId: string }) {
  const { unit, bars } = groupDays(days)
  const isOfOneYear = days[0]?.day.slice(0, 4) === days.at(-1)?.day.slice(0, 4)
  const format = isOfOneYear ? dayFormat : dayOfYearFormat
  return (
    <Stack gap="md">
      {charts.map(({ key, title, action, noun, color }) => (
        <DailyChart
          key={key}
          title={title}
          total={`${formatNumber(sumDays(days, key))} in ${pluralize(days.length, 'day')} (UTC)`}
          color={color}
          unit={unit}
          days={bars.map((bar) => {
            const value = sumDays(bar.days, key)
            return {
              name: format.formatRange(new Date(bar.first), new Date(bar.last)),
              value,
              description: pluralize(value, noun),
              to: `/w/${workspaceId}/moderation/records`,
              search: { action, imported: 'false', from: bar.first, to: bar.last, zone: 'UTC' },
            }
          })}
        />
      ))}
      <CountTable
        label="Per day"
        heading="Day (UTC)"
        rows={days.toReversed().map(({ day, ...counts }) => ({
          key: day,
          name: format.format(new Date(day)),
          counts,
        }))}
      />
    </Stack>
  )
}
