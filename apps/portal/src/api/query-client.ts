import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

/** The key of the signed-in user. */
export const ME_KEY = ['me'] as const

const MAX_RETRIES = 2

/**
 * The cache of server data. The query keys of a workspace start with `[workspaceId, resource]`, where `resource` is one of
 * `liveResources`, so that a change elsewhere refetches only that resource.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Fail when offline instead of pausing silently.
      networkMode: 'always',
      staleTime: 30_000,
      retry: (failureCount, error) =>
        failureCount < MAX_RETRIES && error instanceof ApiError && error.isRetryable && navigator.onLine,
      retryDelay: (failureCount) => 400 * 2 ** failureCount,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
