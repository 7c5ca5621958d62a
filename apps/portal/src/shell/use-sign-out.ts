import { useNavigate } from '@tanstack/react-router'
import { pauseChangeStreams } from '../api/change-stream.ts'
import { api, pauseReads, unwrap } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { dismissSessionOverlay } from '../api/session-expiry.ts'
import { notifyError } from '../components/toast.tsx'

/** Returns a function that signs out and clears all cached data. */
export function useSignOut() {
  const navigate = useNavigate()
  return async () => {
    dismissSessionOverlay(false)
    // A read or stream that outlives the session would be rejected with 401.
    await queryClient.cancelQueries()
    const resumeReads = pauseReads()
    const resumeChangeStreams = pauseChangeStreams()
    try {
      await unwrap(api.POST('/portal/api/sign-out'))
    } catch (error) {
      // The session is already over.
      if (!(error instanceof ApiError && error.isSessionExpired)) {
        resumeReads()
        resumeChangeStreams()
        void queryClient.invalidateQueries()
        dismissSessionOverlay(true)
        notifyError(error)
        return
      }
    }
    resumeReads()
    await navigate({ to: '/sign-in', replace: true })
    queryClient.clear()
  }
}
