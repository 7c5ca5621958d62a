import { createStore } from '../app/store.ts'
import { ApiError } from './error.ts'

/** A request of the user that waits until they have confirmed who they are. */
interface PendingVerification {
  readonly confirm: () => void
  readonly cancel: () => void
}

const pending = createStore<PendingVerification | null>(null)
let current: Promise<void> | null = null

/** Tabs share the session, so a verification in one of them is one for all. */
const otherTabs = new BroadcastChannel('reeve-verification')
otherTabs.onmessage = () => pending.get()?.confirm()

/** Tells other tabs that the user has confirmed who they are. */
export const announceVerification = (): void => otherTabs.postMessage(null)

/** What the user sees who does not confirm. */
const CANCELLED = 'Nothing was done, because you did not confirm that it is you.'

/** Whether a response says that the user has to confirm who they are before the same request is sent again. */
export async function requiresVerification(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { reason?: string } | null
  return body?.reason === 'verification_required'
}

/**
 * Asks the user to confirm who they are. Concurrent requests share one dialog.
 * @throws ApiError if the user cancels
 */
export function verifyUser(): Promise<void> {
  current ??= new Promise<void>((resolve, reject) => {
    const settle = (finish: () => void) => () => {
      current = null
      pending.set(null)
      finish()
    }
    pending.set({
      confirm: settle(resolve),
      cancel: settle(() =>
        reject(new ApiError(403, 'forbidden', CANCELLED, { reason: 'verification_required' })),
      ),
    })
  })
  return current
}

/** The verification that the user is asked for; null if there is none. */
export const usePendingVerification = pending.useValue
