import { TextInput } from '@mantine/core'
import type { DayRange } from '../format/day-range.ts'

interface Props {
  readonly range: DayRange
  readonly setRange: (change: { readonly from?: string; readonly to?: string }) => void
}

/** The first and the last day of a filter. An empty text clears one. */
export const DayRangeFields = ({ range: { from, to, zone }, setRange }: Props) => (
  <>
    <TextInput
      type="date"
      label={zone === undefined ? 'From' : `From (${zone})`}
      value={from ?? ''}
      max={to}
      onChange={(event) => setRange({ from: event.currentTarget.value })}
    />
    <TextInput
      type="date"
      label={zone === undefined ? 'To' : `To (${zone})`}
      value={to ?? ''}
      min={from}
      onChange={(event) => setRange({ to: event.currentTarget.value })}
    />
  </>
)
