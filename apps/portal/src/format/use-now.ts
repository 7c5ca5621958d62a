import { useSyncExternalStore } from 'react'
import { getNow } from './clock.ts'

/** Often enough for relative times such as “2 minutes ago”. */
const TICK_MS = 20_000

const SECOND_MS = 1000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** Whole seconds, so that it is the same within a rendering; rounded up, so that nothing that is already done is ahead of it. */
export const readNow = (): number => Math.ceil(getNow() / SECOND_MS) * SECOND_MS

/**
 * The current time in milliseconds since the epoch, read at each rendering: what is shown for the first time may have
 * happened just now. Also updates on a shared timer.
 */
export const useNow = (): number => useSyncExternalStore(subscribe, readNow)
