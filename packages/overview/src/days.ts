/** A calendar day in a time zone: `from` is inclusive, `to` is exclusive. In epoch milliseconds. */
export interface Day {
  readonly from: number
  readonly to: number
}

/**
 * The last calendar days in a time zone, oldest first; the last one contains `now`. A day has 23 or 25 hours when clocks change.
 * @param timeZone the name of a time zone, as `wire.timeZone` returns it
 */
export function listLastDays(now: number, timeZone: string, count: number): Day[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const starts = Array.from(
    { length: count + 1 },
    (_, index) =>
      today
        .add({ days: index + 1 - count })
        .toZonedDateTime(timeZone)
        .toInstant().epochMilliseconds,
  )
  return starts.slice(0, count).map((from, index) => ({ from, to: starts[index + 1] ?? from }))
}
