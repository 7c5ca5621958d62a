import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

const RETRIES = 2

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
      retry: (count, error) =>
        count < RETRIES && error instanceof ApiError && error.isPassing && navigator.onLine,
      retryDelay: (count) => 400 * 2 ** count,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
