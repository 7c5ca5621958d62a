import { redirect } from '@tanstack/react-router'
import { ApiError } from '../api/error.ts'
import { findWorkspaceByPath, type Me, meQuery } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { consumeInitialAuthState } from './initial-auth-state.ts'

/** Where a second factor is added. */
const ACCOUNT = '/account'

/** Whether the user has to add or verify a second factor before a page can be opened. */
const lacksSecondFactor = (me: Me, path: string): boolean =>
  me.missingSecondFactor !== 'none' ||
  (findWorkspaceByPath(me, path)?.missingSecondFactor ?? 'none') !== 'none'

/**
 * Loads the signed-in user for a route.
 * @param to the requested path, to return to after signing in
 * @throws a redirect to the sign-in screen if there is no session, or to the setup screen on a new instance,
 *   or to the account if the instance or the workspace requires a second factor first
 */
export async function requireSession(to: string): Promise<Me> {
  const state = consumeInitialAuthState()
  if (state === 'first-run') throw redirect({ to: '/first-run', replace: true })
  const signIn = redirect({ to: '/sign-in', search: to === '/' ? {} : { to }, replace: true })
  if (state === 'sign-in') throw signIn
  try {
    const me = await queryClient.ensureQueryData(meQuery)
    if (lacksSecondFactor(me, to) && !to.startsWith(ACCOUNT))
      throw redirect({ to: ACCOUNT, search: { to }, replace: true })
    return me
  } catch (error) {
    if (error instanceof ApiError && error.isSessionExpired) throw signIn
    throw error
  }
}
