import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import classes from './daily-chart.module.css'

/** One bar of a chart: a day, or a week. */
export interface ChartDay {
  /** `Thu, 12 Nov`, or `9 – 15 Nov`. */
  readonly name: string
  readonly value: number
  /** `3 bans`. */
  readonly description: string
  /** The list of what is counted. */
  readonly to: string
  readonly search: Readonly<Record<string, string>>
}

interface Props {
  readonly title: string
  /** The sum of all days: `12 in 30 days`. */
  readonly total: string
  readonly color: 'red' | 'yellow'
  /** What a bar stands for. */
  readonly unit?: 'day' | 'week'
  /** Oldest first. */
  readonly days: readonly ChartDay[]
}

/** The share of the height that a bar with few entries has, so that it can be seen. */
const MIN_BAR_PERCENT = 4

/**
 * A bar per day or week, each a link to its list. The value is shown for the bar under the pointer or with the focus; arrow keys
 * move between bars. A tap selects a bar first, because they are narrow on a phone.
 */
export function DailyChart({ title, total, color, unit = 'day', days }: Props) {
  const last = days.length - 1
  const [index, setIndex] = useState(last)
  const list = useRef<HTMLOListElement>(null)
  const wasTapped = useRef(false)
  const selectedIndex = Math.min(index, last)
  const selected = days[selectedIndex]
  const highest = Math.max(1, ...days.map(({ value }) => value))

  function moveFocus(event: KeyboardEvent): void {
    const target = getTarget(event.key, selectedIndex, last)
    if (target === null) return
    event.preventDefault()
    list.current?.querySelectorAll('a')[target]?.focus()
  }
  return (
    <div className={classes.chart} data-color={color}>
      <div className={classes.header}>
        <Text component="h3" fw={600} size="sm" m={0}>
          {title}{' '}
          <Text component="span" size="sm" c="dimmed" fw={400}>
            {total}
          </Text>
        </Text>
        {selected ? (
          <Link to={selected.to} search={selected.search} className={classes.selected}>
            {selected.name}: {selected.description}
          </Link>
        ) : null}
      </div>
      <ol
        ref={list}
        className={classes.days}
        aria-label={`${title} per ${unit}`}
        onKeyDown={moveFocus}
        onPointerLeave={() => setIndex(last)}
      >
        {days.map(({ name, value, description, to, search }, dayIndex) => (
          <li key={name}>
            <Link
              to={to}
              search={search}
              className={classes.day}
              aria-label={`${name}: ${description}`}
              tabIndex={dayIndex === selectedIndex ? 0 : -1}
              data-selected={dayIndex === selectedIndex || undefined}
              onFocus={() => setIndex(dayIndex)}
              onPointerEnter={({ pointerType }) => {
                if (pointerType === 'mouse') setIndex(dayIndex)
              }}
              onPointerDown={({ pointerType }) => {
                wasTapped.current = pointerType !== 'mouse' && dayIndex !== selectedIndex
              }}
              onClick={(event) => {
                if (wasTapped.current) event.preventDefault()
                wasTapped.current = false
                setIndex(dayIndex)
              }}
            >
              <span data-bar className={classes.bar} style={{ height: toHeight(value, highest) }} />
            </Link>
          </li>
        ))}
      </ol>
      <div className={classes.axis} aria-hidden>
        <span>{days[0]?.name}</span>
        <span>{days[last]?.name}</span>
      </div>
    </div>
  )
}

const toHeight = (value: number, highest: number): string =>
  value === 0 ? '0' : `${Math.max(MIN_BAR_PERCENT, (value / highest) * 100)}%`

/** The day that a key moves to; null if it is not a key of the chart. */
function getTarget(key: string, index: number, last: number): number | null {
  if (key === 'ArrowLeft') return Math.max(0, index - 1)
  if (key === 'ArrowRight') return Math.min(last, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : null
}
