import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { useMayChange } from '../../components/permission-gate.tsx'
import { Screen } from '../../components/screen.tsx'
import { anyText, calendarDay, oneOf, useFilters } from '../../components/use-filters.ts'
import { useNow } from '../../format/use-now.ts'
import { dayOf } from './calendar.ts'
import { CalendarView } from './calendar-view.tsx'
import { type Event, type EventType, eventKey, eventTypes } from './event-data.ts'
import { EventDialog } from './event-dialog.tsx'
import { zoneWords } from './event-words.ts'
import { EventForm, type Subject } from './form/event-form.tsx'
import { Toolbar, views } from './toolbar.tsx'

/** Where there is no room for a calendar beside its days. */
const NARROW = '(max-width: 48em)'

const readers = {
  view: oneOf(...views),
  on: calendarDay,
  type: oneOf(...(Object.keys(eventTypes) as EventType[])),
  event: anyText,
}

/** The scheduled events of a workspace. */
export function Events() {
  const maySee = useMay('events.view')
  return maySee ? (
    <KnownEvents />
  ) : (
    <Screen title="Events">
      <NotForYou permission="events.view" />
    </Screen>
  )
}

function KnownEvents() {
  const { id: workspaceId } = useWorkspace()
  const mayManage = useMayChange('events.manage')
  const client = useQueryClient()
  const navigate = useNavigate()
  const now = useNow()
  const [filters, setFilters] = useFilters(readers)
  const [subject, setSubject] = useState<Subject | null>(null)
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  const view = filters.view ?? (isNarrow ? 'agenda' : 'month')
  const on = filters.on ?? dayOf(now)

  // An opened event is a place to come back from.
  const open = (event: Event) => {
    client.setQueryData(eventKey(workspaceId, event.id), event)
    void navigate({ to: '.', search: (before) => ({ ...before, event: event.id }) })
  }
  const make = mayManage ? (day?: string) => setSubject({ kind: 'new', day: day ?? null }) : null
  return (
    <Screen
      title="Events"
      isWide
      description={`Trainings, shifts, meetings and whatever else is planned. Times are in your zone, ${zoneWords(now)}.`}
      actions={
        make ? (
          <Button leftSection={<IconCalendarPlus size={16} aria-hidden />} onClick={() => make()}>
            New event
          </Button>
        ) : null
      }
    >
      <Toolbar view={view} on={on} kind={filters.type} show={setFilters} />
      <CalendarView
        view={view}
        on={on}
        eventType={filters.type}
        isNarrow={isNarrow}
        open={open}
        make={make}
        goTo={(day) => setFilters({ on: day })}
        showAll={() => setFilters({ type: undefined })}
      />
      <EventDialog
        workspaceId={workspaceId}
        id={subject === null ? (filters.event ?? null) : null}
        close={() => setFilters({ event: undefined })}
        edit={(event) => setSubject({ kind: 'edit', event })}
        duplicate={(event) => setSubject({ kind: 'copy', event })}
      />
      <EventForm
        subject={subject}
        close={() => setSubject(null)}
        saved={(event) => {
          setSubject(null)
          open(event)
        }}
      />
    </Screen>
  )
}
