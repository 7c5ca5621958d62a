import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** How long after a list changed a click may still be meant for the row that was there before, in milliseconds. */
const STEADY_MS = 300

/** A row and its place on the screen, in pixels from the top of the window. */
interface PlacedRow {
  readonly key: string
  readonly top: number
  readonly bottom: number
}

/** Rows by their index in the list. */
type PlacedRows = ReadonlyMap<number, PlacedRow>

/** The `data-index` of a row whose list renders only some of its rows, or its position. */
const findIndex = (row: Element, position: number): number =>
  Number(row.getAttribute('data-index') ?? position)

const findKey = (row: Element): string => row.getAttribute('data-row') ?? row.getAttribute('href') ?? row.id

function placeRow(row: Element): PlacedRow {
  const { top, bottom } = row.getBoundingClientRect()
  return { key: findKey(row), top, bottom }
}

/** Whether another row is at an index than before. Rows that are added at the end, or rendered while scrolling, move none. */
const isMoved = (before: PlacedRows, row: Element, index: number): boolean =>
  before.has(index) && before.get(index)?.key !== findKey(row)

/** Whether a row was already where it is on the screen: the browser scrolls along with rows that are added above the visible part. */
function hasStayed(before: PlacedRows, row: Element): boolean {
  const { key, top, bottom } = placeRow(row)
  const middle = (top + bottom) / 2
  return [...before.values()].some((old) => old.key === key && old.top <= middle && middle <= old.bottom)
}

/**
 * Keeps a click or tap from hitting a row that has just moved under the pointer, as when search results or a live update
 * arrive. Keys are not affected.
 * @param container contains the rows
 * @param selector selects the rows, which have a `data-row`, an `href` or an `id`
 * @param text what the user typed: rows that change together with it are expected
 * @returns a handler for the capture phase of clicks in the container
 */
export function useSteadyRows(container: RefObject<HTMLElement | null>, selector: string, text = '') {
  const changes = useRef<readonly { readonly at: number; readonly before: PlacedRows }[]>([])
  const textBefore = useRef(text)
  const listRows = () => [...(container.current?.querySelectorAll(selector) ?? [])]
  const listRecentChanges = () => changes.current.filter(({ at }) => performance.now() - at <= STEADY_MS)
  // Only here the rows are still where the user sees them: an effect runs after they have changed.
  const before = new Map(listRows().map((row, position) => [findIndex(row, position), placeRow(row)]))
  useLayoutEffect(() => {
    const isExpected = text !== textBefore.current
    textBefore.current = text
    if (!listRows().some((row, position) => isMoved(before, row, findIndex(row, position)))) return
    changes.current = isExpected ? [] : [...listRecentChanges(), { at: performance.now(), before }]
  })
  return (event: MouseEvent) => {
    const isKey = event.detail === 0
    const row = (event.target as Element).closest(selector)
    if (isKey || row === null) return
    const index = findIndex(row, listRows().indexOf(row))
    const oldest = listRecentChanges().find((change) => change.before.has(index))
    if (oldest === undefined || !isMoved(oldest.before, row, index) || hasStayed(oldest.before, row)) return
    event.preventDefault()
    event.stopPropagation()
  }
}
