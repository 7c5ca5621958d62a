import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const printMedia = window.matchMedia('print')
let isPrinting = printMedia.matches
const listeners = new Set<() => void>()

function update(changed: boolean): void {
  if (changed === isPrinting) return
  isPrinting = changed
  // The page is printed as soon as the event has been handled.
  flushSync(() => {
    for (const listener of listeners) listener()
  })
}

window.addEventListener('beforeprint', () => update(true))
window.addEventListener('afterprint', () => update(false))
printMedia.addEventListener('change', () => update(printMedia.matches))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the page is being printed: for what paper needs and the screen does not. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
