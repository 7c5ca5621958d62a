import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

const MAX_RETRIES = 2

/**
 * What the page knows of the server. The keys of a workspace's queries begin `[workspaceId, resource]`, where `resource` is
 * one of `liveResources`: a change made elsewhere makes just those be read again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Being offline is told, not waited out in silence.
      networkMode: 'always',
      staleTime: 30_000,
      retry: (failureCount, error) =>
        failureCount < MAX_RETRIES && error instanceof ApiError && error.isRetryable && navigator.onLine,
      retryDelay: (failureCount) => 400 * 2 ** failureCount,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
