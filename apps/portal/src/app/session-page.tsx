import { useQueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsPageRemoved } from '../api/session-expiry.ts'
import { router } from '../router.tsx'

/** The page. Some minutes after the end of the session, nothing of it remains in the browser: not in the page, and not in the cache. */
export function SessionPage() {
  const queryClient = useQueryClient()
  const isRemoved = useIsPageRemoved()
  useEffect(() => {
    if (isRemoved) queryClient.clear()
  }, [isRemoved, queryClient])
  return isRemoved ? null : <RouterProvider router={router} />
}
