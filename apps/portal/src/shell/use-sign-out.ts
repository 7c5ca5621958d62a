import { useNavigate } from '@tanstack/react-router'
import { pauseChangeStreams } from '../api/change-stream.ts'
import { api, pauseReads, unwrap } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { useMe } from '../api/me.ts'
import { queryClient } from '../api/query-client.ts'
import { announceSignOut, stopWatchingSession } from '../api/session-expiry.ts'
import { notifyError } from '../components/toast.tsx'

/** Returns a function that signs out and clears all cached data. */
export function useSignOut() {
  const navigate = useNavigate()
  const { sessionId } = useMe()
  return async () => {
    const watchAgain = stopWatchingSession()
    // A read or stream that outlives the session would be rejected with 401.
    await queryClient.cancelQueries()
    const resumeReads = pauseReads()
    const resumeChangeStreams = pauseChangeStreams()
    try {
      await unwrap(api.POST('/portal/api/sign-out'))
    } catch (error) {
      // The session is already over.
      if (!(error instanceof ApiError && error.isSessionExpired)) {
        watchAgain()
        resumeReads()
        resumeChangeStreams()
        void queryClient.invalidateQueries()
        notifyError(error)
        return
      }
    }
    announceSignOut(sessionId)
    resumeReads()
    await navigate({ to: '/sign-in', replace: true })
    resumeChangeStreams()
    queryClient.clear()
  }
}
