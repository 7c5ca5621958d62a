import { useSyncExternalStore } from 'react'
import { ApiError, isSessionEndReason, type SessionEndReason } from './error.ts'
import { ME_KEY, queryClient } from './query-client.ts'

/** Why the session of this page is over. */
export type SessionEnd = SessionEndReason | 'signed_out'

/** The session that the page was loaded in. */
interface WatchedSession {
  readonly accountId: string
  readonly sessionId: string
}

/** What the tabs of a browser, which share the session cookie, tell each other. */
type TabMessage =
  | { readonly kind: 'ended'; readonly sessionId: string; readonly reason: SessionEnd }
  | { readonly kind: 'signed-in'; readonly accountId: string }

/** How long the page stays below the sign-in dialog, so that nothing typed is lost. Then its data is removed from the browser. */
export const KEEP_PAGE_MINUTES = 5

let watched: WatchedSession | null = null
/** Whether the page was removed, because the session has been over for a while. */
let isPageRemoved = false
/** Whether the page is being left, because it belongs to another account. */
let isLeaving = false
let removal: ReturnType<typeof setTimeout> | null = null
/** Why the session is over, while the sign-in dialog covers the page; null otherwise. */
let sessionEnd: SessionEnd | null = null
const listeners = new Set<() => void>()
const otherTabs = new BroadcastChannel('reeve-session')

function setSessionEnd(next: SessionEnd | null): void {
  if (sessionEnd === next) return
  sessionEnd = next
  if (removal !== null) clearTimeout(removal)
  removal = next === null ? null : setTimeout(removePage, KEEP_PAGE_MINUTES * 60_000)
  // There is nothing to continue with.
  if (next === null && isPageRemoved) window.location.reload()
  notifyListeners()
}

function removePage(): void {
  isPageRemoved = true
  notifyListeners()
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

const notifyOtherTabs = (message: TabMessage): void => otherTabs.postMessage(message)

/** Leaves the page of an account that is no longer signed in, so that nobody else acts with it. Nobody is asked to stay because of unsaved text. */
function leavePage(): void {
  isLeaving = true
  window.location.assign('/')
}

// Before all others: this module is loaded before those that ask. Tests of functions have no window.
globalThis.window?.addEventListener(
  'beforeunload',
  (event) => isLeaving && event.stopImmediatePropagation(),
  { capture: true },
)

otherTabs.onmessage = ({ data: message }: MessageEvent<TabMessage>) => {
  if (watched === null) return
  if (message.kind === 'ended') {
    // The server may have refused a request of this tab before the tab in which the user signed out has its response.
    const isNews = sessionEnd === null || message.reason === 'signed_out'
    if (message.sessionId === watched.sessionId && isNews) setSessionEnd(message.reason)
  } else if (message.accountId !== watched.accountId) leavePage()
  else setSessionEnd(null)
}

/** Covers the page with the sign-in dialog, here and in other tabs, if an error means that the session is over. */
export function handleSessionError(error: ApiError): void {
  if (watched === null || sessionEnd !== null || !isSessionEndReason(error)) return
  notifyOtherTabs({ kind: 'ended', sessionId: watched.sessionId, reason: error.reason })
  setSessionEnd(error.reason)
}

/**
 * Starts watching for the end of the session, once it is known that there is one. If it belongs to another account than the page,
 * the page is left: somebody has signed in elsewhere in this browser.
 * @returns a promise that stays pending while the page is left, so that nothing is shown or sent as the other account
 */
export function watchSession(session: WatchedSession): Promise<void> {
  if (watched === null || watched.accountId === session.accountId) {
    watched = session
    return Promise.resolve()
  }
  leavePage()
  return new Promise(() => {})
}

/** How long a read of the user may take before it is repeated, in milliseconds: after a phone has slept, its connection can be dead. */
const MAX_READ_MS = 5000

/**
 * Checks before a write that the page does not belong to another account than the session. Waits for the user if that is being
 * read, as in a page that has just become visible.
 * @param signal ends the wait
 * @throws ApiError while the page is left; the reason of the signal
 */
export async function assertSameUser(signal: AbortSignal): Promise<void> {
  const user = queryClient.getQueryCache().find({ queryKey: ME_KEY })
  if (user?.state.fetchStatus === 'fetching') {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    // If the user cannot be read, the write is not possible either.
    const read = () =>
      user.fetch().then(
        () => true,
        () => true,
      )
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), MAX_READ_MS)
    })
    if (!(await Promise.race([read(), late, aborted]))) {
      await user.cancel({ silent: true })
      await Promise.race([read(), aborted])
    }
  }
  if (isLeaving) throw new ApiError(401, 'unauthorized', 'Another account has signed in. Nothing was done.')
}

/** Stops watching while the user signs out. @returns a function that watches again if signing out fails */
export function stopWatchingSession(): () => void {
  const before = watched
  watched = null
  setSessionEnd(null)
  return () => {
    watched = before
  }
}

/** Tells other tabs that the user signed out here. @param sessionId the session that ended */
export const announceSignOut = (sessionId: string): void =>
  notifyOtherTabs({ kind: 'ended', sessionId, reason: 'signed_out' })

/** Tells other tabs who has signed in: those of the same account continue, those of another leave its pages. */
export const announceSignIn = (accountId: string): void => notifyOtherTabs({ kind: 'signed-in', accountId })

/** Continues after signing in again in the dialog. Another account starts from scratch. */
export function resumeSession(accountId: string): void {
  announceSignIn(accountId)
  if (accountId === watched?.accountId) setSessionEnd(null)
  else leavePage()
}

/** Why the session is over; null if it is not. */
export const getSessionEnd = (): SessionEnd | null => sessionEnd

/** Calls back when the session ends and when it is resumed. @returns a function that unsubscribes */
export function onSessionEndChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the data of the page must be removed, because the session has been over for a while. */
export const useIsPageRemoved = (): boolean => useSyncExternalStore(onSessionEndChange, () => isPageRemoved)

/** Why the session is over; null if it is not. */
export const useSessionEnd = (): SessionEnd | null => useSyncExternalStore(onSessionEndChange, getSessionEnd)
