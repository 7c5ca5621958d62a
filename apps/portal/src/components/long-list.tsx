import { useRouter } from '@tanstack/react-router'
import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ListProps } from './list-props.ts'
import { useScrollAnchor } from './use-scroll-anchor.ts'

/** Rows before and after the visible ones, for the Tab key and for text search near the visible part. */
const OVERSCAN = 25
const ESTIMATED_ROW_HEIGHT = 84

/** The measured rows of lists that were left, by history entry, so that Back finds the same scroll position. */
const measuredRows = new Map<string, VirtualItem[]>()
const MAX_MEASURED_LISTS = 20

function rememberRows(key: string, items: VirtualItem[]): void {
  measuredRows.delete(key)
  measuredRows.set(key, items)
  const [oldest] = measuredRows.keys()
  if (measuredRows.size > MAX_MEASURED_LISTS && oldest !== undefined) measuredRows.delete(oldest)
}

/** Renders the rows near the visible part of the page. */
export function LongList<Row>({ rows, rowKey, children, label, className, hasMore }: ListProps<Row>) {
  const router = useRouter()
  const [cacheKey] = useState(() => `${router.state.location.state.__TSR_key ?? ''} ${label}`)
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const [focusedIndex, setFocusedIndex] = useState<number | null>(null)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ESTIMATED_ROW_HEIGHT,
    getItemKey: (index) => rowKey(rows[index] as Row),
    overscan: OVERSCAN,
    scrollMargin,
    initialMeasurementsCache: measuredRows.get(cacheKey) ?? [],
    // The focused row stays, so that the focus and the position of the Tab key survive scrolling.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      if (focusedIndex === null || focusedIndex >= rows.length || indexes.includes(focusedIndex))
        return indexes
      return [...indexes, focusedIndex].sort((a, b) => a - b)
    },
  })
  // It would scroll for rows that are placed by their measured size. These take their place in the page by themselves.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false
  useScrollAnchor(list)
  // The content above the list can change its height at any time.
  useLayoutEffect(() => {
    const top = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (top !== scrollMargin) setScrollMargin(top)
  })
  const latest = useRef(virtualizer)
  latest.current = virtualizer
  useLayoutEffect(() => () => rememberRows(cacheKey, latest.current.measurementsCache), [cacheKey])
  const items = virtualizer.getVirtualItems()
  const listEnd = virtualizer.getTotalSize() + scrollMargin
  return (
    <ul
      ref={list}
      className={className}
      aria-label={label}
      // Contains the margins of the rows, which take the place of those that are not rendered.
      style={{ display: 'flow-root' }}
      onFocus={(event) => {
        const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
        setFocusedIndex(row ? Number(row.dataset.index) : null)
      }}
      onBlur={() => setFocusedIndex(null)}
    >
      {items.map(({ key, index, start, end }, position) => {
        const previousEnd = items[position - 1]?.end ?? scrollMargin
        const isLast = position === items.length - 1
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={hasMore ? -1 : rows.length}
            // A change of the style of the list would keep the browser from scrolling along with rows that are added above.
            style={{
              ...(start > previousEnd && { marginTop: start - previousEnd }),
              ...(isLast && listEnd > end && { marginBottom: listEnd - end }),
            }}
          >
            {children(rows[index] as Row)}
          </li>
        )
      })}
    </ul>
  )
}
