import { Skeleton, UnstyledButton } from '@mantine/core'
import { useNow } from '../../format/use-now.ts'
import { type Day, toDay, toMonth } from './calendar.ts'
import { EventChip } from './event-chip.tsx'
import type { Event } from './event-data.ts'
import eventClasses from './events.module.css'
import { formatDayLabel, formatWeekday } from './format-event-time.ts'
import classes from './month.module.css'
import { useCalendarKeyboard } from './use-calendar-keyboard.ts'

/** Events listed for each day; the rest is a count. */
const MAX_VISIBLE_EVENTS = 3
const MAX_DOTS = 3

interface Props {
  readonly selectedDay: Day
  readonly weeks: readonly (readonly Day[])[]
  readonly days: ReadonlyMap<Day, readonly Event[]>
  readonly isPending: boolean
  readonly isNarrow: boolean
  readonly open: (event: Event) => void
  readonly openDay: (day: Day) => void
  readonly goTo: (day: Day) => void
}

const noEvents: readonly Event[] = []

/** The month view. Activating a day opens its dialog. */
export function MonthView({ selectedDay, weeks, days, isPending, isNarrow, open, openDay, goTo }: Props) {
  const today = toDay(useNow())
  const keyboard = useCalendarKeyboard(selectedDay, goTo)
  return (
    <table className={classes.month} aria-busy={isPending || undefined} {...keyboard.containerProps}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className={classes.weekday}>
              {formatWeekday(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day, index) => {
              const events = days.get(day) ?? noEvents
              return (
                <td
                  key={day}
                  className={classes.cell}
                  data-is-other-month={toMonth(day) !== toMonth(selectedDay) || undefined}
                >
                  <UnstyledButton
                    className={classes.day}
                    aria-label={formatDayLabel(day, events.length, isPending)}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => openDay(day)}
                    {...keyboard.getDayProps(day)}
                  >
                    <span className={classes.number}>{Number(day.slice(-2))}</span>
                    {isNarrow ? <Dots events={events} /> : null}
                  </UnstyledButton>
                  {isNarrow ? null : (
                    <div className={classes.events}>
                      {isPending && index % 3 === 1 ? <Skeleton height={26} /> : null}
                      {events.slice(0, MAX_VISIBLE_EVENTS).map((event) => (
                        <EventChip key={event.id} event={event} day={day} open={open} />
                      ))}
                      {events.length > MAX_VISIBLE_EVENTS ? (
                        <span className={classes.more} aria-hidden>
                          {events.length - MAX_VISIBLE_EVENTS} more
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

/** Dots for the events of a day, on narrow screens. */
const Dots = ({ events }: { readonly events: readonly Event[] }) => (
  <span className={classes.dots}>
    {events.slice(0, MAX_DOTS).map(({ id, eventType, published }) => (
      <span
        key={id}
        className={`${eventClasses.eventColor} ${classes.dot}`}
        data-event-type={eventType}
        data-is-draft={published !== 'true' || undefined}
      />
    ))}
  </span>
)
