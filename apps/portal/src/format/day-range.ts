/** Calendar days in the reader's time zone: `2026-03-01`. */
export interface DayRange {
  readonly from?: string | undefined
  /** The last day. */
  readonly to?: string | undefined
}

const startOfDay = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** Converts days to the times that the API expects: `from` is inclusive, `to` exclusive. */
export const toTimeRange = ({ from, to }: DayRange): { readonly from?: string; readonly to?: string } => ({
  ...(from !== undefined && { from: startOfDay(from) }),
  ...(to !== undefined && { to: startOfDay(to, 1) }),
})
