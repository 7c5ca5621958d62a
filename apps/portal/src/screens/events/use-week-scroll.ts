import { useEffect, useRef, useState } from 'react'
import type { TimeSpan } from './assign-lanes.ts'
import { DAY_MINUTES } from './day-position.ts'

/** Where a week without events opens, and the latest time at which any week opens: most events are later. */
const DEFAULT_START_MINUTE = 8 * 60
/** Shown above what is scrolled to, so that the label of its hour is visible. */
const MARGIN_MINUTES = 15

interface Options {
  /** Identifies the week. */
  readonly week: string
  /** Null while the events are loading. */
  readonly positions: readonly TimeSpan[] | null
  /** The current time if the week is the current one. */
  readonly nowMinute: number | null
}

/** The events that are out of view above or below. */
export interface HiddenEvents {
  readonly count: number
  /** Scrolls to the nearest one. */
  readonly show: () => void
}

/**
 * Scrolls a week to its first event, or to the current time if that is earlier; a week without events opens at the current time or
 * in the morning. Then tells which events are out of view.
 */
export function useWeekScroll({ week, positions, nowMinute }: Options) {
  const area = useRef<HTMLElement>(null)
  const scrolledWeek = useRef('')
  const [visible, setVisible] = useState<TimeSpan | null>(null)

  function readVisible(): void {
    const { current } = area
    if (!current) return
    const { scrollTop, clientHeight, scrollHeight } = current
    const toMinute = (pixels: number) => Math.round((pixels / scrollHeight) * DAY_MINUTES)
    setVisible({ start: toMinute(scrollTop), end: toMinute(scrollTop + clientHeight) })
  }
  const scrollTo = (minute: number) => {
    const { current } = area
    if (current) current.scrollTop = ((minute - MARGIN_MINUTES) / DAY_MINUTES) * current.scrollHeight
    readVisible()
  }

  // Once per week: later changes of its events do not move what the user looks at.
  useEffect(() => {
    if (positions === null || scrolledWeek.current === week) return
    scrolledWeek.current = week
    scrollTo(findFirstMinute(positions, nowMinute))
  })

  const above = visible ? (positions ?? []).filter(({ end }) => end <= visible.start) : []
  const below = visible ? (positions ?? []).filter(({ start }) => start >= visible.end) : []
  return {
    areaProps: { ref: area, onScroll: readVisible },
    above: createHidden(above, () => scrollTo(Math.max(...above.map(({ start }) => start)))),
    below: createHidden(below, () => scrollTo(Math.min(...below.map(({ start }) => start)))),
  }
}

/** What continues from the day before begins at midnight, and is in view wherever the rest of it is. */
function findFirstMinute(positions: readonly TimeSpan[], nowMinute: number | null): number {
  const starts = positions.map(({ start }) => start).filter((start) => start > 0)
  if (nowMinute !== null) starts.push(nowMinute)
  return starts.length === 0 ? DEFAULT_START_MINUTE : Math.min(...starts)
}

const createHidden = (events: readonly TimeSpan[], show: () => void): HiddenEvents | null =>
  events.length === 0 ? null : { count: events.length, show }
