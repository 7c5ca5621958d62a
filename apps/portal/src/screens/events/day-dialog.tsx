import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Dialog } from '../../components/dialog.tsx'
import type { Day } from './calendar.ts'
import { EventRows } from './day-list.tsx'
import type { Event } from './event-data.ts'
import { formatLongDay } from './format-event-time.ts'

interface Props {
  /** Null while the dialog is shut. */
  readonly day: Day | null
  readonly events: readonly Event[]
  readonly close: () => void
  readonly open: (event: Event) => void
  /** Makes one on this day; null for whoever may not. */
  readonly create: ((day: Day) => void) | null
}

/** One day of the calendar: all that begins on it, and a way to plan more. */
export const DayDialog = ({ day, events, close, open, create }: Props) => (
  <Dialog opened={day !== null} onClose={close} title={day === null ? '' : formatLongDay(day)}>
    {day === null ? null : (
      <Stack gap="md">
        {events.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing is planned on this day.
          </Text>
        ) : (
          <EventRows events={events} open={open} />
        )}
        {create === null ? null : (
          <Group justify="flex-end">
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => create(day)}>
              New event on this day
            </Button>
          </Group>
        )}
      </Stack>
    )}
  </Dialog>
)
