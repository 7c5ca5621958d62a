import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { queryClient } from '../api/query.ts'
import { uncover } from '../api/session-end.ts'
import { tellOfFailure } from '../components/tell.tsx'

/** Ends the session, and leaves nothing of it on the page. */
export function useSignOut() {
  const navigate = useNavigate()
  return async () => {
    uncover(false)
    try {
      await take(api.POST('/portal/api/sign-out'))
    } catch (error) {
      // A session that is over already is what was wanted.
      if (!(error instanceof ApiError && error.isSessionOver)) {
        uncover(true)
        tellOfFailure(error)
        return
      }
    }
    await navigate({ to: '/sign-in', replace: true })
    queryClient.clear()
  }
}
