import type { InitialAuthState } from '../paths.ts'

function readInitialAuthState(): InitialAuthState {
  const { authState: state } = document.documentElement.dataset
  delete document.documentElement.dataset.authState
  return (state as InitialAuthState | undefined) ?? 'signed-in'
}

let initialAuthState: InitialAuthState | null = readInitialAuthState()

/**
 * What the server knew about the session when it sent the page.
 * @returns null from the second call on: the state may have changed since then
 */
export function consumeInitialAuthState(): InitialAuthState | null {
  const state = initialAuthState
  initialAuthState = null
  return state
}
