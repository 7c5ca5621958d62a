import {
  formatDate,
  formatDateTime,
  formatExactTime,
  formatRelativeTime,
  type Timestamp,
} from '../format/time.ts'
import { useNow } from '../format/use-now.ts'

interface Props {
  readonly value: Timestamp
  /** `relative` by default: `2 hours ago`. */
  readonly format?: 'relative' | 'date' | 'dateTime'
}

/** A time in the user's time zone. The tooltip shows the seconds and the zone. */
export function FormattedTime({ value, format = 'relative' }: Props) {
  const now = useNow()
  const text =
    format === 'relative'
      ? formatRelativeTime(value, now)
      : format === 'date'
        ? formatDate(value)
        : formatDateTime(value)
  return (
    <time dateTime={new Date(value).toISOString()} title={formatExactTime(value)}>
      {text}
    </time>
  )
}
