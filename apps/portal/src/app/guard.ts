import { redirect } from '@tanstack/react-router'
import { ApiError } from '../api/error.ts'
import { type Me, meQuery } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { readInitialAuthState } from './initial-auth-state.ts'

let initialAuthState: ReturnType<typeof readInitialAuthState> | null = readInitialAuthState()

/** What was known when the page came; from the second time on, nothing is. */
export function consumeInitialAuthState(): typeof initialAuthState {
  const state = initialAuthState
  initialAuthState = null
  return state
}

/**
 * Lets only those in who are signed in; whoever is not goes to sign in, and comes back here after.
 * @param to the address that was asked for
 */
export async function requireSession(to: string): Promise<Me> {
  const state = consumeInitialAuthState()
  if (state === 'first-run') throw redirect({ to: '/first-run', replace: true })
  const signIn = redirect({ to: '/sign-in', search: to === '/' ? {} : { to }, replace: true })
  if (state === 'sign-in') throw signIn
  try {
    return await queryClient.ensureQueryData(meQuery)
  } catch (error) {
    if (error instanceof ApiError && error.isSessionExpired) throw signIn
    throw error
  }
}
