import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** How long after a list changed a click may still be meant for the row that was there before, in milliseconds. */
const STEADY_MS = 300

/**
 * Keeps a click or tap from hitting a row that has just moved under the pointer, as when search results arrive. Keys are not
 * affected.
 * @param container contains the rows
 * @param selector selects the rows, which have an `href` or an `id`
 * @param text what the user typed: rows that change together with it are expected
 * @returns a handler for the capture phase of clicks in the container
 */
export function useSteadyRows(container: RefObject<HTMLElement | null>, selector: string, text = '') {
  const rows = useRef<readonly string[]>([])
  const rowsBefore = useRef<readonly string[]>([])
  const textBefore = useRef(text)
  const changedAt = useRef(Number.NEGATIVE_INFINITY)
  const listRows = () => [...(container.current?.querySelectorAll(selector) ?? [])]
  useLayoutEffect(() => {
    const isExpected = text !== textBefore.current
    textBefore.current = text
    const keys = listRows().map((row) => row.getAttribute('href') ?? row.id)
    if (keys.join('\n') === rows.current.join('\n')) return
    rowsBefore.current = rows.current
    rows.current = keys
    changedAt.current = isExpected ? Number.NEGATIVE_INFINITY : performance.now()
  })
  return (event: MouseEvent) => {
    const isKey = event.detail === 0
    if (isKey || performance.now() - changedAt.current > STEADY_MS) return
    const row = (event.target as Element).closest(selector)
    const index = row === null ? -1 : listRows().indexOf(row)
    const before = rowsBefore.current[index]
    if (before === undefined || before === rows.current[index]) return
    event.preventDefault()
    event.stopPropagation()
  }
}
