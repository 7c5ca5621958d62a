import type { Insights } from './insights-query.ts'

type Day = Insights['days'][number]

/** What a bar stands for: the days from the first to the last. */
export interface ChartBar {
  readonly days: readonly [Day, ...Day[]]
  readonly first: string
  readonly last: string
}

/** More bars are too narrow to be seen on a phone. A period of a year has 53 or 54 weeks. */
const MAX_BARS = 62

/** Groups days into bars: one for each day, or for each week from Monday to Sunday if the days are too many. */
export function groupDays(days: readonly Day[]): {
  readonly unit: 'day' | 'week'
  readonly bars: readonly ChartBar[]
} {
  const unit = days.length > MAX_BARS ? 'week' : 'day'
  const groups: [Day, ...Day[]][] = []
  for (const day of days) {
    const group = groups.at(-1)
    if (group && unit === 'week' && !isMonday(day)) group.push(day)
    else groups.push([day])
  }
  return {
    unit,
    bars: groups.map((group) => ({ days: group, first: group[0].day, last: (group.at(-1) ?? group[0]).day })),
  }
}

const isMonday = ({ day }: Day): boolean => new Date(day).getUTCDay() === 1
