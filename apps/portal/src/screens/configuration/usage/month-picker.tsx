import { ActionIcon, Button, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { Popover } from '../../../components/deferred-popover.tsx'
import { loadOnOpen } from '../../../components/load-on-open.tsx'
import { useNow } from '../../../format/use-now.ts'
import { addMonths, formatMonth, type Month, toMonth } from './month.ts'

const MonthCalendar = loadOnOpen(
  async () => (await import('./month-calendar.tsx')).MonthCalendar,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)

interface Props {
  readonly month: Month
  readonly onSelect: (month: Month) => void
}

/** Selects the displayed month; future months are disabled. */
export function MonthPicker({ month, onSelect }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const latest = toMonth(useNow())
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label="Month">
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Previous month"
        onClick={() => onSelect(addMonths(month, -1))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <Popover opened={isOpen} onChange={setIsOpen} trapFocus returnFocus>
        <Popover.Target>
          <Button
            variant="default"
            fw={400}
            w="min(9.375rem, 50vw)"
            miw={0}
            px="xs"
            aria-label={`${formatMonth(month)}: choose a month`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {formatMonth(month)}
          </Button>
        </Popover.Target>
        <Popover.Dropdown mih={60}>
          <MonthCalendar
            isOpen={isOpen}
            close={() => setIsOpen(false)}
            month={month}
            latest={latest}
            onSelect={onSelect}
          />
        </Popover.Dropdown>
      </Popover>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Next month"
        disabled={month >= latest}
        onClick={() => onSelect(addMonths(month))}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
