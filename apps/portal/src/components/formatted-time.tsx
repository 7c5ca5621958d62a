import { type Preferences, usePreferences } from '../app/preferences.ts'
import {
  formatDate,
  formatDateTime,
  formatExactTime,
  formatRelativeTime,
  formatZonedTime,
  type Timestamp,
} from '../format/time.ts'
import { useNow } from '../format/use-now.ts'
import { useIsPrinting } from './use-printing.ts'

/** Paper does not change, so it has dates. */
function useTimeForm(): Preferences['times'] {
  const { times } = usePreferences()
  return useIsPrinting() ? 'absolute' : times
}

const absoluteFormats = { date: formatDate, dateTime: formatDateTime, zoned: formatZonedTime }

interface Props {
  readonly value: Timestamp
  /** `relative` by default: `2 hours ago`, or the date and time if the user prefers that. */
  readonly format?: 'relative' | keyof typeof absoluteFormats
}

/**
 * A time in the user's time zone. The tooltip has the other form: the exact time with its zone, or how long ago it was as
 * well.
 */
export function FormattedTime({ value, format = 'relative' }: Props) {
  const now = useNow()
  const times = useTimeForm()
  const relative = formatRelativeTime(value, now)
  const isRelative = format === 'relative' && times === 'relative'
  const text = isRelative ? relative : absoluteFormats[format === 'relative' ? 'dateTime' : format](value)
  const exact = formatExactTime(value)
  return (
    <time dateTime={new Date(value).toISOString()} title={isRelative ? exact : `${relative}: ${exact}`}>
      {text}
    </time>
  )
}

/** ` · 2 hours ago`, after a date; nothing if the user prefers dates. */
export function RelativeTimeSuffix({ value }: Pick<Props, 'value'>) {
  const times = useTimeForm()
  return times === 'relative' ? (
    <>
      {' · '}
      <FormattedTime value={value} />
    </>
  ) : null
}

/** Writes times in texts that cannot contain elements, such as options, as the user prefers. */
export function useFormatTime(): (value: Timestamp) => string {
  const now = useNow()
  const times = useTimeForm()
  return (value) => (times === 'relative' ? formatRelativeTime(value, now) : formatDateTime(value))
}
