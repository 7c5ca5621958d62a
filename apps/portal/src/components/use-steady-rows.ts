import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** How long after a list changed a click may still be meant for the row that was there before, in milliseconds. */
const STEADY_MS = 300

/** The keys of rows by their index in the list. */
type RowKeys = ReadonlyMap<number, string>

/** The `data-index` of a row whose list renders only some of its rows, or its position. */
const findIndex = (row: Element, position: number): number =>
  Number(row.getAttribute('data-index') ?? position)

const findKey = (row: Element): string => row.getAttribute('data-row') ?? row.getAttribute('href') ?? row.id

/** Whether another row is where one was. Rows that are added at the end, or rendered while scrolling, move none. */
const hasMoved = (before: RowKeys, now: RowKeys): boolean =>
  [...now].some(([index, key]) => before.has(index) && before.get(index) !== key)

/**
 * Keeps a click or tap from hitting a row that has just moved under the pointer, as when search results or a live update
 * arrive. Keys are not affected.
 * @param container contains the rows
 * @param selector selects the rows, which have a `data-row`, an `href` or an `id`
 * @param text what the user typed: rows that change together with it are expected
 * @returns a handler for the capture phase of clicks in the container
 */
export function useSteadyRows(container: RefObject<HTMLElement | null>, selector: string, text = '') {
  const rows = useRef<RowKeys>(new Map())
  const rowsBefore = useRef<RowKeys>(new Map())
  const textBefore = useRef(text)
  const changedAt = useRef(Number.NEGATIVE_INFINITY)
  const listRows = () => [...(container.current?.querySelectorAll(selector) ?? [])]
  useLayoutEffect(() => {
    const isExpected = text !== textBefore.current
    textBefore.current = text
    const keys = new Map(listRows().map((row, position) => [findIndex(row, position), findKey(row)]))
    if (hasMoved(rows.current, keys)) {
      rowsBefore.current = rows.current
      changedAt.current = isExpected ? Number.NEGATIVE_INFINITY : performance.now()
    }
    rows.current = keys
  })
  return (event: MouseEvent) => {
    const isKey = event.detail === 0
    if (isKey || performance.now() - changedAt.current > STEADY_MS) return
    const row = (event.target as Element).closest(selector)
    if (row === null) return
    const before = rowsBefore.current.get(findIndex(row, listRows().indexOf(row)))
    if (before === undefined || before === findKey(row)) return
    event.preventDefault()
    event.stopPropagation()
  }
}
