import { useSyncExternalStore } from 'react'
import type { ApiError } from './error.ts'

/** The refusal that told of the session's end, while somebody still looks at what it showed; null otherwise. */
let sessionError: ApiError | null = null
let isWatching = false
const listeners = new Set<() => void>()

function setSessionError(next: ApiError | null): void {
  sessionError = next
  for (const listener of listeners) listener()
}

/** Called of every refusal: one that says that the session is over covers the page with the sign-in form. */
export function handleSessionError(error: ApiError): void {
  if (isWatching && error.isSessionExpired && sessionError === null) setSessionError(error)
}

/** From here on the end of the session covers the page: called once it is known who is signed in. */
export function watchSession(): void {
  isWatching = true
}

/** Somebody signed in again, or left: the cover goes. */
export function dismissSessionOverlay(isStillSignedIn: boolean): void {
  isWatching = isStillSignedIn
  setSessionError(null)
}

/** The refusal that ended the session, or null. */
export const useSessionError = (): ApiError | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => sessionError,
  )
