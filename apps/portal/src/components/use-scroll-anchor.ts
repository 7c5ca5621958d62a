import { type RefObject, useLayoutEffect } from 'react'
import { MAX_UNNOTICED_SHIFT } from '../app/steady-rows.ts'

/**
 * Scrolls along with the rows on the screen when something changes above them, once the start of their list is above the screen. Browsers
 * do so only with a row that was there when the page was last scrolled, and some never.
 * @param list contains an element for each row
 */
export function useScrollAnchor(list: RefObject<HTMLElement | null>): void {
  // Only here the rows are still where the user sees them: an effect runs after they have changed.
  const isStartHidden = list.current !== null && list.current.getBoundingClientRect().top < 0
  const rows = isStartHidden ? [...(list.current?.children ?? [])] : []
  const before = rows.map((row) => ({ row, place: row.getBoundingClientRect() }))
  useLayoutEffect(() => {
    const shown = before.find(({ row, place }) => row.isConnected && place.bottom > 0)
    if (!shown) return
    const shift = shown.row.getBoundingClientRect().top - shown.place.top
    if (Math.abs(shift) > MAX_UNNOTICED_SHIFT) window.scrollBy(0, shift)
  })
}
