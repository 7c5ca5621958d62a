import { Stack } from '@mantine/core'
import { DailyChart } from '../../components/daily-chart.tsx'
import { locale } from '../../format/locale.ts'
import { formatNumber, pluralize } from '../../format/number.ts'
import { CountTable } from './count-table.tsx'
import type { Insights } from './insights-query.ts'

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

const charts = [
  { key: 'bans', title: 'Bans', action: 'ban', noun: 'ban', color: 'red' },
  { key: 'mutes', title: 'Mutes', action: 'mute', noun: 'mute', color: 'yellow' },
  { key: 'warnings', title: 'Warnings', action: 'warn', noun: 'warning', color: 'yellow' },
] as const

/** More bars are too narrow to be seen on a phone. */
const MAX_BARS = 62

/** A chart for each kind of case, and a table of all days. */
export function DaysView({
  days,
  workspaceId,
}: {
  readonly days: Insights['days']
  readonly workspaceId: string
}) {
  const shown = days.slice(-MAX_BARS)
  return (
    <Stack gap="md">
      {charts.map(({ key, title, action, noun, color }) => (
        <DailyChart
          key={key}
          title={title}
          total={`${formatNumber(shown.reduce((total, day) => total + Number(day[key]), 0))} in ${pluralize(shown.length, 'day')}`}
          color={color}
          days={shown.map((day) => ({
            name: dayFormat.format(new Date(day.day)),
            value: Number(day[key]),
            description: pluralize(day[key], noun),
            to: `/w/${workspaceId}/moderation/records`,
            search: { action, from: day.day, to: day.day },
          }))}
        />
      ))}
      <CountTable
        label="Per day"
        heading="Day"
        rows={days.toReversed().map(({ day, ...counts }) => ({
          key: day,
          name: dayFormat.format(new Date(day)),
          counts,
        }))}
      />
    </Stack>
  )
}
