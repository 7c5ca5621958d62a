import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { dismissSessionOverlay } from '../api/session-expiry.ts'
import { notifyError } from '../components/toast.tsx'

/** Returns a function that signs out and clears all cached data. */
export function useSignOut() {
  const navigate = useNavigate()
  return async () => {
    dismissSessionOverlay(false)
    try {
      await unwrap(api.POST('/portal/api/sign-out'))
    } catch (error) {
      // The session is already over.
      if (!(error instanceof ApiError && error.isSessionExpired)) {
        dismissSessionOverlay(true)
        notifyError(error)
        return
      }
    }
    await navigate({ to: '/sign-in', replace: true })
    queryClient.clear()
  }
}
