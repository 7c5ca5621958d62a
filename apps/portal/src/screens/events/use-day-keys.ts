import { type KeyboardEvent, useEffect, useRef } from 'react'
import { addDays, addMonths, type Day, weekOf } from './calendar.ts'
import { firstDay } from './first-day.ts'

/** Where a key leads from a day; null where it leads nowhere. */
function dayAfterKey(key: string, day: Day): Day | null {
  if (key === 'ArrowLeft') return addDays(day, -1)
  if (key === 'ArrowRight') return addDays(day, 1)
  if (key === 'ArrowUp') return addDays(day, -7)
  if (key === 'ArrowDown') return addDays(day, 7)
  if (key === 'Home') return weekOf(day, firstDay)[0] ?? null
  if (key === 'End') return weekOf(day, firstDay)[6] ?? null
  if (key === 'PageUp') return addMonths(day, -1)
  if (key === 'PageDown') return addMonths(day, 1)
  return null
}

/**
 * Goes from day to day with the keys of a calendar. One day of all is reached by the tabulator: the one that is gone on from.
 * @param on that day
 */
export function useDayKeys(on: Day, goTo: (day: Day) => void) {
  const frame = useRef<HTMLTableElement>(null)
  const isMoving = useRef(false)
  useEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    frame.current?.querySelector<HTMLElement>(`[data-day="${on}"]`)?.focus()
  }, [on])
  return {
    around: {
      ref: frame,
      onKeyDown: (event: KeyboardEvent) => {
        const from = (event.target as HTMLElement).dataset.day
        if (from === undefined || event.ctrlKey || event.metaKey || event.altKey) return
        const to = dayAfterKey(event.key, from)
        if (to === null) return
        event.preventDefault()
        isMoving.current = true
        goTo(to)
      },
    },
    of: (day: Day) => ({ 'data-day': day, tabIndex: day === on ? 0 : -1 }),
  }
}
