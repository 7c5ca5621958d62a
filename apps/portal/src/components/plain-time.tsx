import { date, dateTime, exactTime, type Moment, relativeTime } from '../format/time.ts'
import { useNow } from '../format/use-now.ts'

interface Props {
  readonly at: Moment
  /** `relative` by default: `2 hours ago`. */
  readonly as?: 'relative' | 'date' | 'dateTime'
}

/** A moment in the reader's zone; pointing at it names the zone and the second. */
export function PlainTime({ at, as = 'relative' }: Props) {
  const now = useNow()
  const text = as === 'relative' ? relativeTime(at, now) : as === 'date' ? date(at) : dateTime(at)
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {text}
    </time>
  )
}
