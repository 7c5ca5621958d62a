import { api, unwrap } from '../api/client.ts'
import { loadCeremonies } from './passkeys.ts'

/** A challenge is valid for five minutes: it is replaced before. */
const CHALLENGE_REFRESH_MS = 4 * 60_000

interface Listener {
  /** Called with the id of the account that signed in. */
  readonly onSignedIn: (accountId: string) => Promise<void>
  /** Called if a passkey that the user has chosen is rejected. */
  readonly onRejected: (error: unknown) => void
}

/**
 * Lets the browser offer passkeys among the suggestions of the username field. Without support for it, nothing happens.
 * @returns a function that stops it
 */
export function offerPasskeys(listener: Listener): () => void {
  const stopped = new AbortController()
  let abortRequest = () => {}
  const run = async () => {
    const ceremonies = await loadCeremonies()
    if (!(await ceremonies.supportsAutofill())) return
    abortRequest = ceremonies.abortPasskeyRequest
    while (!stopped.signal.aborted) {
      await waitUntilVisible()
      const { options } = await unwrap(api.POST('/portal/api/sign-in/passkey/options', { body: {} }))
      if (stopped.signal.aborted) return
      const assertion = await refreshAfter(ceremonies.requestAssertion(options, true), abortRequest)
      if (assertion === null) continue
      try {
        const { account } = await unwrap(api.POST('/portal/api/sign-in/passkey', { body: assertion }))
        if (account) return await listener.onSignedIn(account.id)
      } catch (error) {
        listener.onRejected(error)
      }
    }
  }
  // The user has asked for nothing yet, and the button says what is wrong.
  run().catch(() => null)
  return () => {
    stopped.abort()
    abortRequest()
  }
}

/** @returns the result of the request; null if it was aborted because its challenge is about to expire */
async function refreshAfter<Result>(request: Promise<Result>, abort: () => void): Promise<Result | null> {
  let isExpiring = false
  const timer = setTimeout(() => {
    isExpiring = true
    abort()
  }, CHALLENGE_REFRESH_MS)
  try {
    return await request
  } catch (error) {
    if (isExpiring) return null
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A tab in the background needs no challenge. */
const waitUntilVisible = (): Promise<unknown> =>
  document.hidden
    ? new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
    : Promise.resolve()
