import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { ApiError } from '../../api/error.ts'
import { type Me, meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'

/** The signed-in user; null without a session. */
export function useCurrentUser() {
  const { initialAuthState } = useRouteContext({ from: '/invitation' })
  return useQuery({
    queryKey: ['invitation', 'current-user'],
    queryFn: async (): Promise<Me | null> => {
      try {
        return await queryClient.fetchQuery(meQuery)
      } catch (error) {
        if (error instanceof ApiError && error.isSessionExpired) return null
        throw error
      }
    },
    // The server has already put this into the page.
    ...(initialAuthState === 'sign-in' || initialAuthState === 'first-run' ? { initialData: null } : {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
