import { MonthPicker } from '@mantine/dates'
import type { Month } from './month.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  readonly month: Month
  readonly latest: Month
  readonly onSelect: (month: Month) => void
}

/** A calendar of months; future months are disabled. */
export const MonthCalendar = ({ month, latest, onSelect, close }: Props) => (
  <MonthPicker
    value={`${month}-01`}
    defaultDate={`${month}-01`}
    onChange={(value) => {
      if (value) onSelect(value.slice(0, 7))
      close()
    }}
    maxDate={`${latest}-01`}
    // On a phone with large text, three months fit the window.
    styles={{ monthsListControl: { maxWidth: '26vw' }, yearsListControl: { maxWidth: '26vw' } }}
    ariaLabels={{ previousYear: 'Previous year', nextYear: 'Next year' }}
  />
)
