import { redirect } from '@tanstack/react-router'
import { ApiError } from '../api/error.ts'
import { type Me, meQuery } from '../api/me.ts'
import { queryClient } from '../api/query.ts'
import { faceAtFirst } from './face.ts'

let face: ReturnType<typeof faceAtFirst> | null = faceAtFirst()

/** What was known when the page came; from the second time on, nothing is. */
export function takeFace(): typeof face {
  const known = face
  face = null
  return known
}

/**
 * Lets only those in who are signed in; whoever is not goes to sign in, and comes back here after.
 * @param to the address that was asked for
 */
export async function needSignIn(to: string): Promise<Me> {
  const known = takeFace()
  if (known === 'first-run') throw redirect({ to: '/first-run', replace: true })
  const signIn = redirect({ to: '/sign-in', search: to === '/' ? {} : { to }, replace: true })
  if (known === 'sign-in') throw signIn
  try {
    return await queryClient.ensureQueryData(meQuery)
  } catch (error) {
    if (error instanceof ApiError && error.isSessionOver) throw signIn
    throw error
  }
}
