import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useShortcut } from '../../components/shortcuts.ts'
import { addDays, addMonths, type Day, listWeekDays } from './calendar.ts'
import { firstDayOfWeek } from './first-day.ts'
import { limitDay } from './limit-day.ts'

/** The day that a key moves to; null for other keys. */
function getDayForKey(key: string, day: Day): Day | null {
  if (key === 'ArrowLeft') return addDays(day, -1)
  if (key === 'ArrowRight') return addDays(day, 1)
  if (key === 'ArrowUp') return addDays(day, -7)
  if (key === 'ArrowDown') return addDays(day, 7)
  if (key === 'Home') return listWeekDays(day, firstDayOfWeek)[0] ?? null
  if (key === 'End') return listWeekDays(day, firstDayOfWeek)[6] ?? null
  if (key === 'PageUp') return addMonths(day, -1)
  if (key === 'PageDown') return addMonths(day, 1)
  return null
}

const focusDay = (table: HTMLTableElement | null, day: Day): void =>
  table?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()

const dayShortcut = { keys: ['←', '↑', '→', '↓'], label: 'Move to another day', group: 'Calendar' }
const weekShortcut = { keys: ['Home', 'End'], label: 'First or last day of the week', group: 'Calendar' }
const monthShortcut = { keys: ['Page Up', 'Page Down'], label: 'Previous or next month', group: 'Calendar' }

/**
 * Keyboard navigation of a calendar grid with a roving tab index.
 * @param selectedDay the only day that Tab reaches
 */
export function useCalendarKeyboard(selectedDay: Day, goTo: (day: Day) => void) {
  useShortcut(dayShortcut)
  useShortcut(weekShortcut)
  useShortcut(monthShortcut)
  const tableRef = useRef<HTMLTableElement>(null)
  const shouldFocus = useRef(false)
  useEffect(() => {
    if (!shouldFocus.current) return
    shouldFocus.current = false
    focusDay(tableRef.current, selectedDay)
  }, [selectedDay])
  return {
    containerProps: {
      ref: tableRef,
      onKeyDown: (event: KeyboardEvent) => {
        const from = (event.target as HTMLElement).dataset.day
        if (from === undefined || event.ctrlKey || event.metaKey || event.altKey) return
        const to = getDayForKey(event.key, from)
        if (to === null) return
        event.preventDefault()
        const day = limitDay(to)
        if (day === selectedDay) return focusDay(tableRef.current, day)
        shouldFocus.current = true
        goTo(day)
      },
    },
    getDayProps: (day: Day) => ({ 'data-day': day, tabIndex: day === selectedDay ? 0 : -1 }),
  }
}
