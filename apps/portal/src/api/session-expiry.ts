import { useSyncExternalStore } from 'react'
import type { ApiError } from './error.ts'

/** The error that ended the session, while the sign-in dialog covers the page; null otherwise. */
let sessionError: ApiError | null = null
let isWatching = false
const listeners = new Set<() => void>()

function setSessionError(next: ApiError | null): void {
  sessionError = next
  for (const listener of listeners) listener()
}

/** Covers the page with the sign-in dialog if an error means that the session is over. */
export function handleSessionError(error: ApiError): void {
  if (isWatching && error.isSessionExpired && sessionError === null) setSessionError(error)
}

/** Starts watching for the end of the session, once it is known that there is one. */
export function watchSession(): void {
  isWatching = true
}

/** Removes the sign-in dialog, after signing in again or signing out. */
export function dismissSessionOverlay(isStillSignedIn: boolean): void {
  isWatching = isStillSignedIn
  setSessionError(null)
}

/** The error that ended the session; null if it has not ended. */
export const useSessionError = (): ApiError | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => sessionError,
  )
