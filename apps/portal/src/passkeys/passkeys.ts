import { api, unwrap } from '../api/client.ts'
import { createNetworkError } from '../api/error.ts'
import { loadCode } from '../app/load-code.ts'
import { describeDevice } from '../format/device.ts'

/** Loads what talks to the browser. @throws ApiError if it could not be loaded */
export const loadCeremonies = () => loadCode(() => import('./ceremonies.ts'))

/** Loads it before it is needed: some browsers want their dialog to follow a click at once. */
export const preloadPasskeys = (): void => void loadCeremonies().catch(() => null)

const IP_ADDRESS = /^[\d.]+$|^\[/

/** Whether this browser can use passkeys at this URL. The server may still be set up for another one. */
export const supportsPasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !IP_ADDRESS.test(window.location.hostname)

/**
 * Signs in with a passkey.
 * @param token of a sign-in that still needs a second factor; without one, the passkey alone signs in
 * @returns the id of the account
 * @throws PasskeyAborted, UserError
 */
export async function signInWithPasskey(token?: string): Promise<string> {
  const { requestAssertion } = await loadCeremonies()
  const body = token === undefined ? {} : { token }
  const { options } = await unwrap(api.POST('/portal/api/sign-in/passkey/options', { body }))
  const assertion = await requestAssertion(options)
  const { account } = await unwrap(
    api.POST('/portal/api/sign-in/passkey', { body: { ...assertion, ...body } }),
  )
  // A passkey needs no further factor.
  if (!account) throw createNetworkError()
  return account.id
}

/** Confirms who uses the session with a passkey. @throws PasskeyAborted, UserError */
export async function verifyWithPasskey(): Promise<void> {
  const { requestAssertion } = await loadCeremonies()
  const { options } = await unwrap(api.POST('/portal/api/verification/passkey/options'))
  await unwrap(api.POST('/portal/api/verification/passkey', { body: await requestAssertion(options) }))
}

/** Adds a passkey to the user's account. @returns it, and recovery codes with the first second factor @throws PasskeyAborted, UserError */
export async function addPasskey() {
  const { createPasskey } = await loadCeremonies()
  const { options } = await unwrap(api.POST('/portal/api/passkeys/options'))
  const created = await createPasskey(options)
  const fallbackName = describeDevice(navigator.userAgent)
  return unwrap(api.POST('/portal/api/passkeys', { body: { ...created, fallbackName } }))
}
