import { notifyManager } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { queryClient } from '../api/query-client.ts'

/** How long after a list has changed a tap may still be meant for what was there before, in milliseconds. */
const STEADY_MS = 300
/** A shift that nobody notices, in pixels. */
export const MAX_UNNOTICED_SHIFT = 1

const LISTS = 'ul, ol, table, [role=listbox]'
/** What can be pressed in a list. */
const TARGETS = `:is(${LISTS}) :is(a, button, input, label, select, textarea, summary, [role=option])`

/** Where everything was before a change, in pixels from the top left of the window. */
interface Screen {
  readonly lists: readonly Element[]
  readonly places: ReadonlyMap<HTMLElement, DOMRect>
}

const listTargets = () => [...document.querySelectorAll<HTMLElement>(TARGETS)]

const readScreen = (): Screen => ({
  lists: [...document.querySelectorAll(LISTS)],
  places: new Map(listTargets().map((target) => [target, target.getBoundingClientRect()])),
})

/** Whether something is where it was not before, so that a tap may be meant for something else. */
function hasMoved({ lists, places }: Screen, target: HTMLElement): boolean {
  const before = places.get(target)
  // Other lists have been shown for the first time.
  if (!before) return lists.some((list) => list.contains(target) || !list.isConnected)
  const now = target.getBoundingClientRect()
  const shifts = [now.left - before.left, now.top - before.top]
  const growth = now.bottom - before.bottom
  return growth > MAX_UNNOTICED_SHIFT || shifts.some((shift) => Math.abs(shift) > MAX_UNNOTICED_SHIFT)
}

/** Lets a click or tap reach elements again, unless a later change has moved them too. */
function release(targets: readonly HTMLElement[], change: string): void {
  for (const target of targets) if (target.dataset.moved === change) delete target.dataset.moved
}

let changes = 0

/** Makes a change to the page. For a moment, what it moves in lists reacts to no click or tap, but to keys. */
function keepRowsSteady(change: () => void): void {
  const before = readScreen()
  flushSync(change)
  const moved = listTargets().filter((target) => hasMoved(before, target))
  if (moved.length === 0) return
  changes += 1
  const id = String(changes)
  for (const target of moved) target.dataset.moved = id
  requestAnimationFrame(() =>
    // The change is on the screen. Browsers scroll along with rows that are added above the visible part: the visible ones stay.
    requestAnimationFrame(() => {
      const stayed = moved.filter((target) => !hasMoved(before, target))
      release(stayed, id)
      setTimeout(() => release(moved, id), STEADY_MS)
    }),
  )
}

/**
 * Keeps a click or tap from hitting a row of a list that has just taken the place of another one, by a live update or by search
 * results. What the user has changed themselves is expected.
 */
export function protectTaps(): void {
  let unexpectedResults = 0
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    const isResult = action.type === 'success' && !action.manual
    if (!isResult && action.type !== 'error') return
    const isExpected = queryClient.takeExpected(query)
    if (!isResult || isExpected) return
    unexpectedResults += 1
    // Runs with those who show the result, and after them.
    notifyManager.schedule(() => {
      unexpectedResults -= 1
    })
  })
  notifyManager.setBatchNotifyFunction((notify) => {
    if (unexpectedResults === 0) notify()
    else keepRowsSteady(notify)
  })
}
