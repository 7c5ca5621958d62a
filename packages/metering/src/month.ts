/** The usage of a workspace in one calendar month that counts against its quota. */
export interface MonthlyUsage {
  readonly from: number
  /** The start of the next month: a clock that was set back leaves requests after it. */
  readonly until: number
  /** All requests, including those that are not stored yet. */
  calls: number
  /** Requests that are stored, when it was loaded. */
  storedCalls: number
  /** The start of the hours whose stored requests are read each time, and the stored requests of the hours before them. */
  recentFrom: number
  earlierCalls: number
  /** Requests in flight that have passed the quota check. */
  pending: number
  /** When it was loaded, by the monotonic clock. */
  loadedAt: number
}

export const createMonth = ({ from, until }: Pick<MonthlyUsage, 'from' | 'until'>): MonthlyUsage => ({
  from,
  until,
  calls: 0,
  storedCalls: 0,
  recentFrom: from,
  earlierCalls: 0,
  pending: 0,
  loadedAt: 0,
})

/** The start of the calendar month (UTC) that contains `at`, and of the next one. */
export function monthBounds(at: number): { from: number; until: number } {
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { from: Date.UTC(year, month, 1), until: Date.UTC(year, month + 1, 1) }
}
