/** Calendar days: `2026-03-01`. */
export interface DayRange {
  readonly from?: string | undefined
  /** The last day. */
  readonly to?: string | undefined
  /** Days of UTC; otherwise those in the reader's time zone. */
  readonly zone?: 'UTC' | undefined
}

function startOfDay(day: string, zone: DayRange['zone'], daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const parts = [year, month - 1, date + daysLater] as const
  return (zone === 'UTC' ? new Date(Date.UTC(...parts)) : new Date(...parts)).toISOString()
}

/** Converts days to the times that the API expects: `from` is inclusive, `to` exclusive. */
export const toTimeRange = ({
  from,
  to,
  zone,
}: DayRange): { readonly from?: string; readonly to?: string } => ({
  ...(from !== undefined && { from: startOfDay(from, zone) }),
  ...(to !== undefined && { to: startOfDay(to, zone, 1) }),
})
