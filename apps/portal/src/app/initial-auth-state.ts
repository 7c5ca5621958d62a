import type { InitialAuthState } from '../paths.ts'

/** What the server knew when it sent the page. Asked once: what happened since is known here. */
export function readInitialAuthState(): InitialAuthState {
  const { authState: state } = document.documentElement.dataset
  delete document.documentElement.dataset.authState
  return (state as InitialAuthState | undefined) ?? 'signed-in'
}
