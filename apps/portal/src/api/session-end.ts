import { useSyncExternalStore } from 'react'
import type { ApiError } from './error.ts'

/** The refusal that told of the session's end, while somebody still looks at what it showed; null otherwise. */
let ending: ApiError | null = null
let isWatching = false
const listeners = new Set<() => void>()

function set(next: ApiError | null): void {
  ending = next
  for (const listener of listeners) listener()
}

/** Called of every refusal: one that says that the session is over covers the page with the sign-in form. */
export function tellOfRefusal(refusal: ApiError): void {
  if (isWatching && refusal.isSessionOver && ending === null) set(refusal)
}

/** From here on the end of the session covers the page: called once it is known who is signed in. */
export function watchSession(): void {
  isWatching = true
}

/** Somebody signed in again, or left: the cover goes. */
export function uncover(stillSignedIn: boolean): void {
  isWatching = stillSignedIn
  set(null)
}

/** The refusal that ended the session, or null. */
export const useSessionEnd = (): ApiError | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ending,
  )
