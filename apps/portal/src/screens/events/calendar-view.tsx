import { Button } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { AgendaView } from './agenda-view.tsx'
import { type Day, weekOf, weeksOf } from './calendar.ts'
import { DayDialog } from './day-dialog.tsx'
import { DayList } from './day-list.tsx'
import { byDay, type Event, eventsOfDays, typeWord } from './event-data.ts'
import { firstDay } from './first-day.ts'
import { MonthView } from './month-view.tsx'
import type { View } from './toolbar.tsx'
import { WeekView } from './week-view.tsx'

interface Props {
  readonly view: View
  readonly on: Day
  readonly eventType: string | undefined
  readonly isNarrow: boolean
  readonly open: (event: Event) => void
  /** Makes an event, on a day where one is given; null for whoever may not. */
  readonly make: ((day?: Day) => void) | null
  readonly goTo: (day: Day) => void
  /** Shows every kind of events again. */
  readonly showAll: () => void
}

/** The calendar in the way that was chosen. */
export function CalendarView(props: Props) {
  const { id: workspaceId } = useWorkspace()
  const { view, on, eventType, open } = props
  if (view !== 'agenda') return <Grid {...props} />
  return (
    <AgendaView
      workspaceId={workspaceId}
      from={on}
      eventType={eventType}
      open={open}
      empty={<NothingComes {...props} />}
    />
  )
}

function Grid({ view, on, eventType, isNarrow, open, make, goTo }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [opened, setOpened] = useState<Day | null>(null)
  const weeks = view === 'month' ? weeksOf(on, firstDay) : [weekOf(on, firstDay)]
  const shown = weeks.flat()
  const { data, error, isPending, refetch } = useQuery(
    eventsOfDays(workspaceId, shown[0] ?? on, shown.at(-1) ?? on, eventType),
  )
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  const days = byDay(data ?? [])
  const common = { days, isPending, open, openDay: setOpened }
  return (
    <>
      {view === 'month' ? (
        <MonthView {...common} on={on} weeks={weeks} isNarrow={isNarrow} goTo={goTo} />
      ) : isNarrow ? (
        <div aria-busy={isPending || undefined}>
          {shown.map((day) => (
            <DayList key={day} day={day} events={days.get(day) ?? []} open={open} />
          ))}
        </div>
      ) : (
        <WeekView {...common} week={shown} />
      )}
      <DayDialog
        day={opened}
        events={(opened === null ? null : days.get(opened)) ?? []}
        close={() => setOpened(null)}
        open={(event) => {
          setOpened(null)
          open(event)
        }}
        make={
          make &&
          ((day) => {
            setOpened(null)
            make(day)
          })
        }
      />
    </>
  )
}

/** Where nothing comes: what could, or that only one kind is looked at. */
function NothingComes({ eventType, make, showAll }: Props) {
  if (eventType !== undefined) {
    return (
      <EmptyState
        icon={IconCalendar}
        title={`No event of the type “${typeWord(eventType)}” from here on`}
        action={
          <Button variant="default" onClick={showAll}>
            Show all types
          </Button>
        }
      >
        Other types may be planned, or some came before.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconCalendar}
      title="Nothing is planned from here on"
      action={make ? <Button onClick={() => make()}>Plan an event</Button> : null}
    >
      {make
        ? 'Trainings, shifts, meetings and tryouts belong here. Begin one as a draft, and publish it once it is ready: games and sites read published events from the API.'
        : 'Trainings, shifts, meetings and tryouts show here as soon as somebody publishes them.'}
    </EmptyState>
  )
}
