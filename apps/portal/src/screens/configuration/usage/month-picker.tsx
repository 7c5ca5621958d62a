import { ActionIcon, Group } from '@mantine/core'
import { MonthPickerInput } from '@mantine/dates'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { useNow } from '../../../format/use-now.ts'
import { addMonths, formatMonth, type Month, toMonth } from './month.ts'

interface Props {
  readonly month: Month
  readonly onSelect: (month: Month) => void
}

/** Selects the displayed month; future months are disabled. */
export function MonthPicker({ month, onSelect }: Props) {
  const id = useId()
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
      <MonthPickerInput
        id={id}
        // The calendar is labeled by the button that opens it.
        popoverProps={{ id }}
        aria-label={`${formatMonth(month)}: choose a month`}
        value={`${month}-01`}
        onChange={(value) => value && onSelect(value.slice(0, 7))}
        maxDate={`${latest}-01`}
        w={150}
        ariaLabels={{ previousYear: 'Previous year', nextYear: 'Next year' }}
      />
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
