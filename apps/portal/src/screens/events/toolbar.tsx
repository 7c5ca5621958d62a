import { ActionIcon, Button, Group, NativeSelect, SegmentedControl, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { addDays, addMonths, type Day, weekOf } from './calendar.ts'
import { eventTypes } from './event-data.ts'
import { monthWords, shortDayWords, weekWords } from './event-words.ts'
import classes from './events.module.css'
import { firstDay } from './first-day.ts'

export const views = ['month', 'week', 'agenda'] as const
export type View = (typeof views)[number]

/** How far an agenda goes on or back at once. */
const AGENDA_DAYS = 28

interface Props {
  readonly view: View
  readonly on: Day
  readonly kind: string | undefined
  readonly show: (change: { view?: View; on?: Day | undefined; type?: string | undefined }) => void
}

const viewChoice = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'agenda', label: 'Agenda' },
]
const typeChoice = [
  { value: '', label: 'All types' },
  ...Object.entries(eventTypes).map(([value, label]) => ({ value, label })),
]

/** What is seen of the calendar: which time, in which way, and which kind of events. */
export const Toolbar = ({ view, on, kind, show }: Props) => (
  <div className={classes.toolbar}>
    <Title order={2} className={classes.period ?? ''} aria-live="polite">
      {periodWords(view, on)}
    </Title>
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={`Earlier: the ${stepWords[view]} before`}
        onClick={() => show({ on: step(view, on, -1) })}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Button variant="default" onClick={() => show({ on: undefined })}>
        Today
      </Button>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={`Later: the ${stepWords[view]} after`}
        onClick={() => show({ on: step(view, on, 1) })}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
    <NativeSelect
      className={classes.kind ?? ''}
      aria-label="Type of events"
      data={typeChoice}
      value={kind ?? ''}
      onChange={(event) => show({ type: event.currentTarget.value || undefined })}
    />
    <SegmentedControl
      className={classes.views ?? ''}
      aria-label="View"
      data={viewChoice}
      value={view}
      onChange={(value) => show({ view: value as View })}
    />
  </div>
)

const stepWords: Readonly<Record<View, string>> = { month: 'month', week: 'week', agenda: 'four weeks' }

function step(view: View, on: Day, direction: 1 | -1): Day {
  if (view === 'month') return addMonths(on, direction)
  return addDays(on, direction * (view === 'week' ? 7 : AGENDA_DAYS))
}

function periodWords(view: View, on: Day): string {
  if (view === 'month') return monthWords(on)
  if (view === 'agenda') return `From ${shortDayWords(on)}`
  const week = weekOf(on, firstDay)
  return weekWords(week[0] ?? on, week[6] ?? on)
}
