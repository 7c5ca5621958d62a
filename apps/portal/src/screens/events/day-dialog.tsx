import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Dialog } from '../../components/dialog.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import type { Day } from './calendar.ts'
import { EventRows } from './day-list.tsx'
import type { Event } from './event-data.ts'
import { formatLongDay } from './format-event-time.ts'

interface Props {
  /** Null while the dialog is closed. */
  readonly day: Day | null
  readonly events: readonly Event[]
  readonly close: () => void
  readonly open: (event: Event) => void
  /** Opens the form for a new event on this day; null without permission. */
  readonly create: ((day: Day) => void) | null
}

/** All events of a day, with a button for a new one. */
export const DayDialog = ({ day, events, close, open, create }: Props) => (
  <Dialog opened={day !== null} onClose={close} title={day === null ? '' : formatLongDay(day)}>
    {day === null ? null : (
      <Stack gap="md">
        {events.length === 0 ? (
          <Text size="sm" c="dimmed">
            No events on this day.
          </Text>
        ) : (
          <EventRows day={day} events={events} open={open} />
        )}
        {create === null ? null : (
          <Group justify="flex-end">
            <WriteGuard endpoint="events">
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => create(day)}>
                New event on this day
              </Button>
            </WriteGuard>
          </Group>
        )}
      </Stack>
    )}
  </Dialog>
)
