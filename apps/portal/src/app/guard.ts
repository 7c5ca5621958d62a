import { redirect } from '@tanstack/react-router'
import { ApiError } from '../api/error.ts'
import { type Me, meQuery } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { consumeInitialAuthState } from './initial-auth-state.ts'

/**
 * Loads the signed-in user for a route.
 * @param to the requested path, to return to after signing in
 * @throws a redirect to the sign-in screen if there is no session, or to the setup screen on a new instance
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
