import { Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { DailyChart } from '../../components/daily-chart.tsx'
import { locale } from '../../format/locale.ts'
import { formatNumber, pluralize } from '../../format/number.ts'
import classes from './activity.module.css'
import { linkToRecords } from './activity-links.ts'
import type { OverviewSection } from './overview.ts'

type Day = OverviewSection<'done'>['days'][number]

const dayFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' })

const series = [
  { key: 'bans', title: 'Bans', action: 'ban', noun: 'ban', color: 'red' },
  { key: 'warnings', title: 'Warnings', action: 'warn', noun: 'warning', color: 'yellow' },
] as const

const sumDays = (days: readonly Day[], key: 'bans' | 'warnings'): number =>
  days.reduce((sum, day) => sum + Number(day[key]), 0)

/** The bans and warnings per day, as charts and as a table. @param days oldest first; the last one is today */
export function DailyChartsCard({ days }: { readonly days: readonly Day[] }) {
  const { id } = useWorkspace()
  const formatDay = (day: Day) => (day === days.at(-1) ? 'Today' : dayFormat.format(new Date(day.from)))
  return (
    <Card title={`Last ${days.length} days`}>
      <div className={classes.charts}>
        {series.map(({ key, title, action, noun, color }) => (
          <DailyChart
            key={key}
            title={title}
            total={`${formatNumber(sumDays(days, key))} in ${days.length} days`}
            color={color}
            days={days.map((day) => ({
              name: formatDay(day),
              value: Number(day[key]),
              description: pluralize(day[key], noun),
              ...linkToRecords(id, action, day),
            }))}
          />
        ))}
      </div>
      <details className={classes.details}>
        <summary>Show as a table</summary>
        <Table aria-label="Bans and warnings per day" verticalSpacing={2} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day</Table.Th>
              {series.map(({ key, title }) => (
                <Table.Th key={key}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days.toReversed().map((day) => (
              <Table.Tr key={day.from}>
                <Table.Th scope="row">{formatDay(day)}</Table.Th>
                {series.map(({ key, action, noun }) => (
                  <Table.Td key={key}>
                    <Link
                      {...linkToRecords(id, action, day)}
                      className={classes.number}
                      aria-label={`${formatDay(day)}: ${pluralize(day[key], noun)}`}
                    >
                      {formatNumber(day[key])}
                    </Link>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </Card>
  )
}
