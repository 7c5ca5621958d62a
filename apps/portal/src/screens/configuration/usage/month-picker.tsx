import { ActionIcon, Group } from '@mantine/core'
import { MonthPickerInput } from '@mantine/dates'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { useNow } from '../../../format/use-now.ts'
import { type Month, monthAfter, monthOf, monthWords } from './month.ts'

interface Props {
  readonly month: Month
  readonly choose: (month: Month) => void
}

/** Which month is shown; none that is still to come. */
export function MonthPicker({ month, choose }: Props) {
  const id = useId()
  const latest = monthOf(useNow())
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label="Month">
      <ActionIcon
        variant="default"
        size={36}
        aria-label="The month before"
        onClick={() => choose(monthAfter(month, -1))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <MonthPickerInput
        id={id}
        // What pops up is named by the button that opens it.
        popoverProps={{ id }}
        aria-label={`${monthWords(month)}: choose the month`}
        value={`${month}-01`}
        onChange={(value) => value && choose(value.slice(0, 7))}
        maxDate={`${latest}-01`}
        w={150}
        ariaLabels={{ previousYear: 'The year before', nextYear: 'The year after' }}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label="The month after"
        disabled={month >= latest}
        onClick={() => choose(monthAfter(month))}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
