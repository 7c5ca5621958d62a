import { Button } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { EmptyState, ErrorState } from '../../components/empty-error-loading.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { AgendaView } from './agenda-view.tsx'
import { type Day, listMonthWeeks, listWeekDays } from './calendar.ts'
import { DayList } from './day-list.tsx'
import { type Event, eventsInRangeQuery, formatEventType, groupByDay } from './event-data.ts'
import { firstDayOfWeek } from './first-day.ts'
import { MonthView } from './month-view.tsx'
import type { View } from './toolbar.tsx'
import { WeekView } from './week-view.tsx'

const DayDialog = loadOnOpen(
  async () => (await import('./day-dialog.tsx')).DayDialog,
  ({ day }) => day !== null,
  ({ close }) => close(),
)

interface Props {
  readonly view: View
  readonly selectedDay: Day
  readonly eventType: string | undefined
  readonly isNarrow: boolean
  readonly open: (event: Event) => void
  /** Opens the form for a new event, optionally on a given day; null without permission. */
  readonly create: ((day?: Day) => void) | null
  readonly goTo: (day: Day) => void
  /** Clears the type filter. */
  readonly showAllTypes: () => void
}

/** The calendar in the selected view. */
export function CalendarView(props: Props) {
  const { id: workspaceId } = useWorkspace()
  const { view, selectedDay, eventType, open } = props
  if (view !== 'agenda') return <CalendarGrid {...props} />
  return (
    <AgendaView
      workspaceId={workspaceId}
      from={selectedDay}
      eventType={eventType}
      open={open}
      empty={<EmptyCalendar {...props} />}
    />
  )
}

function CalendarGrid({ view, selectedDay, eventType, isNarrow, open, create, goTo }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [dialogDay, setDialogDay] = useState<Day | null>(null)
  const weeks =
    view === 'month'
      ? listMonthWeeks(selectedDay, firstDayOfWeek)
      : [listWeekDays(selectedDay, firstDayOfWeek)]
  const visibleDays = weeks.flat()
  const firstDay = visibleDays[0] ?? selectedDay
  const lastDay = visibleDays.at(-1) ?? selectedDay
  const { data, error, isPending, refetch } = useQuery(
    eventsInRangeQuery(workspaceId, firstDay, lastDay, eventType),
  )
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  const days = groupByDay(data ?? [], firstDay, lastDay)
  const commonProps = { days, isPending, open, openDay: setDialogDay }
  return (
    <>
      {view === 'month' ? (
        <MonthView {...commonProps} selectedDay={selectedDay} weeks={weeks} isNarrow={isNarrow} goTo={goTo} />
      ) : isNarrow ? (
        <div aria-busy={isPending || undefined}>
          {visibleDays.map((day) => (
            <DayList key={day} day={day} events={days.get(day) ?? []} open={open} />
          ))}
        </div>
      ) : (
        <WeekView {...commonProps} week={visibleDays} />
      )}
      <DayDialog
        day={dialogDay}
        events={(dialogDay === null ? null : days.get(dialogDay)) ?? []}
        close={() => setDialogDay(null)}
        open={(event) => {
          setDialogDay(null)
          open(event)
        }}
        create={
          create &&
          ((day) => {
            setDialogDay(null)
            create(day)
          })
        }
      />
    </>
  )
}

/** The empty state, which mentions an active type filter. */
function EmptyCalendar({ eventType, create, showAllTypes }: Props) {
  if (eventType !== undefined) {
    return (
      <EmptyState
        icon={IconCalendar}
        title={`No upcoming events of type “${formatEventType(eventType)}”`}
        action={
          <Button variant="default" onClick={showAllTypes}>
            Show all types
          </Button>
        }
      >
        There may be events of other types, or earlier ones.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconCalendar} title="No upcoming events">
      {create
        ? 'Schedule trainings, shifts, meetings and tryouts here. Start with a draft and publish it when it is ready: games and websites can read published events through the API.'
        : 'Trainings, shifts, meetings and tryouts appear here once they are published.'}
    </EmptyState>
  )
}
