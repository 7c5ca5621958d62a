import { useSyncExternalStore } from 'react'

/** Often enough for relative times such as “2 minutes ago”. */
const TICK_MS = 20_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
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

/** The current time in milliseconds since the epoch. Updates on a shared timer. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
