import { Skeleton, UnstyledButton } from '@mantine/core'
import { useNow } from '../../format/use-now.ts'
import { type Day, dayOf, monthOf } from './calendar.ts'
import { EventChip } from './event-chip.tsx'
import type { Event } from './event-data.ts'
import { dayLabel, weekdayWords } from './event-words.ts'
import marks from './events.module.css'
import classes from './month.module.css'
import { useDayKeys } from './use-day-keys.ts'

/** How many events of a day are named; the others are counted. */
const NAMED = 3
const DOTS = 3

interface Props {
  readonly on: Day
  readonly weeks: readonly (readonly Day[])[]
  readonly days: ReadonlyMap<Day, readonly Event[]>
  readonly isPending: boolean
  readonly isNarrow: boolean
  readonly open: (event: Event) => void
  readonly openDay: (day: Day) => void
  readonly goTo: (day: Day) => void
}

const nothing: readonly Event[] = []

/** A month: what begins on each of its days. A day is opened by pressing it. */
export function MonthView({ on, weeks, days, isPending, isNarrow, open, openDay, goTo }: Props) {
  const today = dayOf(useNow())
  const keys = useDayKeys(on, goTo)
  return (
    <table className={classes.month} aria-busy={isPending || undefined} {...keys.around}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className={classes.weekday}>
              {weekdayWords(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day, index) => {
              const events = days.get(day) ?? nothing
              return (
                <td
                  key={day}
                  className={classes.cell}
                  data-is-other={monthOf(day) !== monthOf(on) || undefined}
                >
                  <UnstyledButton
                    className={classes.day}
                    aria-label={dayLabel(day, events.length, isPending)}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => openDay(day)}
                    {...keys.of(day)}
                  >
                    <span className={classes.number}>{Number(day.slice(-2))}</span>
                    {isNarrow ? <Dots events={events} /> : null}
                  </UnstyledButton>
                  {isNarrow ? null : (
                    <div className={classes.events}>
                      {isPending && index % 3 === 1 ? <Skeleton height={26} /> : null}
                      {events.slice(0, NAMED).map((event) => (
                        <EventChip key={event.id} event={event} open={open} />
                      ))}
                      {events.length > NAMED ? (
                        <span className={classes.more} aria-hidden>
                          {events.length - NAMED} more
                        </span>
                      ) : null}
                    </div>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** That there is something on a day, where there is no room for more. */
const Dots = ({ events }: { readonly events: readonly Event[] }) => (
  <span className={classes.dots}>
    {events.slice(0, DOTS).map(({ id, eventType, published }) => (
      <span
        key={id}
        className={`${marks.mark} ${classes.dot}`}
        data-kind={eventType}
        data-is-draft={published !== 'true' || undefined}
      />
    ))}
  </span>
)
