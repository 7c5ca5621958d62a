import { ActionIcon, Button, Group, NativeSelect, SegmentedControl, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { addDays, addMonths, type Day, listWeekDays } from './calendar.ts'
import { eventTypeLabels } from './event-data.ts'
import classes from './events.module.css'
import { firstDayOfWeek } from './first-day.ts'
import { formatMonth, formatShortDay, formatWeekRange } from './format-event-time.ts'
import { limitDay } from './limit-day.ts'

export const views = ['month', 'week', 'agenda'] as const
export type View = (typeof views)[number]

/** The step of the agenda view, in days. */
const AGENDA_DAYS = 28

interface Props {
  readonly view: View
  readonly selectedDay: Day

  readonly eventType: string | undefined
  readonly onChange: (change: { view?: View; on?: Day | undefined; type?: string | undefined }) => void
}

const viewOptions = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'agenda', label: 'Agenda' },
]
const typeOptions = [
  { value: '', label: 'All types' },
  ...Object.entries(eventTypeLabels).map(([value, label]) => ({ value, label })),
]

/** Selects the period, the view and the event type. */
export const Toolbar = ({ view, selectedDay, eventType, onChange }: Props) => (
  <div className={classes.toolbar}>
    <Title order={2} className={classes.period ?? ''} aria-live="polite">
      {formatPeriod(view, selectedDay)}
    </Title>
    <Group gap={4} wrap="nowrap">
      <StepButton view={view} selectedDay={selectedDay} direction={-1} onChange={onChange} />
      <Button variant="default" onClick={() => onChange({ on: undefined })}>
        Today
      </Button>
      <StepButton view={view} selectedDay={selectedDay} direction={1} onChange={onChange} />
    </Group>
    <NativeSelect
      className={classes.typeFilter ?? ''}
      aria-label="Event type"
      data={typeOptions}
      value={eventType ?? ''}
      onChange={(event) => onChange({ type: event.currentTarget.value || undefined })}
    />
    <SegmentedControl
      className={classes.views ?? ''}
      aria-label="View"
      data={viewOptions}
      value={view}
      onChange={(value) => onChange({ view: value as View })}
    />
  </div>
)

const stepLabels: Readonly<Record<View, string>> = { month: 'month', week: 'week', agenda: 'four weeks' }

/** Shows the previous or the next period, if an event can be in it. */
function StepButton(
  props: Pick<Props, 'view' | 'selectedDay' | 'onChange'> & { readonly direction: 1 | -1 },
) {
  const { view, selectedDay, direction, onChange } = props
  const day = limitDay(addStep(view, selectedDay, direction))
  const Icon = direction === 1 ? IconChevronRight : IconChevronLeft
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={`${direction === 1 ? 'Next' : 'Previous'} ${stepLabels[view]}`}
      disabled={formatPeriod(view, day) === formatPeriod(view, selectedDay)}
      onClick={() => onChange({ on: day })}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}

function addStep(view: View, selectedDay: Day, direction: 1 | -1): Day {
  if (view === 'month') return addMonths(selectedDay, direction)
  return addDays(selectedDay, direction * (view === 'week' ? 7 : AGENDA_DAYS))
}

function formatPeriod(view: View, selectedDay: Day): string {
  if (view === 'month') return formatMonth(selectedDay)
  if (view === 'agenda') return `From ${formatShortDay(selectedDay)}`
  const week = listWeekDays(selectedDay, firstDayOfWeek)
  return formatWeekRange(week[0] ?? selectedDay, week[6] ?? selectedDay)
}
