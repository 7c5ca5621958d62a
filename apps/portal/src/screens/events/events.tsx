import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { anyText, calendarDay, oneOf } from '../../app/filter-parsers.ts'
import { ReadGate, WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import { useNow } from '../../format/use-now.ts'
import { startOfDay, toDay } from './calendar.ts'
import { CalendarView } from './calendar-view.tsx'
import { type Event, type EventType, eventKey, eventTypeLabels } from './event-data.ts'
import type { EventFormMode } from './form/event-values.ts'
import { formatTimeZone } from './format-event-time.ts'
import { Toolbar, views } from './toolbar.tsx'
import { useNarrowScreen } from './use-narrow-screen.ts'

const EventDialog = loadOnOpen(
  async () => (await import('./event-dialog.tsx')).EventDialog,
  ({ id }) => id !== null,
  ({ close }) => close(),
)
const EventForm = loadOnOpen(
  async () => (await import('./form/event-form.tsx')).EventForm,
  ({ formMode }) => formMode !== null,
  ({ close }) => close(),
)

const filterParsers = {
  view: oneOf(...views),
  on: calendarDay,
  type: oneOf(...(Object.keys(eventTypeLabels) as EventType[])),
  event: anyText,
}

/** The scheduled events of a workspace. */
export function Events() {
  const { id: workspaceId } = useWorkspace()
  const canView = useHasPermission('events.view')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [formMode, setFormMode] = useState<EventFormMode | null>(null)

  // An open event is a history entry, so that Back closes it.
  const open = (event: Event) => {
    client.setQueryData(eventKey(workspaceId, event.id), event)
    void navigate({ to: '.', search: (before) => ({ ...before, event: event.id }) })
  }
  return (
    <>
      {canView ? (
        <EventsContent open={open} formMode={formMode} setFormMode={setFormMode} />
      ) : (
        <Screen title="Events">
          <Forbidden permission="events.view" />
        </Screen>
      )}
      {/* Outside of what is hidden while events are off or cannot be viewed any more, so that its input is kept. */}
      <EventForm
        formMode={formMode}
        close={() => setFormMode(null)}
        onSaved={(event) => {
          setFormMode(null)
          open(event)
        }}
      />
    </>
  )
}

interface ContentProps {
  readonly open: (event: Event) => void
  readonly formMode: EventFormMode | null
  readonly setFormMode: (formMode: EventFormMode) => void
}

function EventsContent({ open, formMode, setFormMode }: ContentProps) {
  const { id: workspaceId } = useWorkspace()
  const canManage = useHasPermission('events.manage')
  const now = useNow()
  const [filters, setFilters] = useFilters(filterParsers)
  const isNarrow = useNarrowScreen()
  const view = filters.view ?? (isNarrow ? 'agenda' : 'month')
  const selectedDay = filters.on ?? toDay(now)
  const momentOfZone = filters.on === undefined ? now : startOfDay(filters.on)
  const create = canManage ? (day?: string) => setFormMode({ kind: 'new', day: day ?? null }) : null
  useOpenFromUrl('events', { new: create && (() => create()) })
  return (
    <Screen
      title="Events"
      isWide
      description={`Trainings, shifts, meetings and other events. Times are shown in ${formatTimeZone(momentOfZone)}.`}
      actions={
        create ? (
          <WriteGuard endpoint="events">
            <Button leftSection={<IconCalendarPlus size={16} aria-hidden />} onClick={() => create()}>
              New event
            </Button>
          </WriteGuard>
        ) : null
      }
    >
      <ReadGate endpoint="events">
        <Toolbar view={view} selectedDay={selectedDay} eventType={filters.type} onChange={setFilters} />
        <CalendarView
          view={view}
          selectedDay={selectedDay}
          eventType={filters.type}
          isNarrow={isNarrow}
          open={open}
          create={create}
          goTo={(day) => setFilters({ on: day })}
          showAllTypes={() => setFilters({ type: undefined })}
        />
        <EventDialog
          workspaceId={workspaceId}
          id={formMode === null ? (filters.event ?? null) : null}
          close={() => setFilters({ event: undefined })}
          edit={(event) => setFormMode({ kind: 'edit', event })}
          duplicate={(event) => setFormMode({ kind: 'copy', event })}
        />
      </ReadGate>
    </Screen>
  )
}
