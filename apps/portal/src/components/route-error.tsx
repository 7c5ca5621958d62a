import { Anchor, Button, Group } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError, getErrorMessage } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { FullPageMessage } from './full-page-message.tsx'

/** Stands where a screen could not be shown, with a way out. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    document.title = 'Something went wrong · Reeve'
  }, [])
  const retry = async () => {
    // What failed is read anew; what is known well stays.
    await queryClient.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    reset()
    await router.invalidate()
  }
  const isForbidden = error instanceof ApiError && error.status === 403
  return (
    <FullPageMessage title={isForbidden ? 'This is not for you to see' : 'This could not be shown'}>
      <p>{getErrorMessage(error)}</p>
      {error instanceof ApiError && error.requestId !== '' && error.status >= 500 ? (
        <p>If it stays like this, tell your operator: request {error.requestId}.</p>
      ) : null}
      <Group>
        <Button onClick={retry}>Try again</Button>
        <Anchor href="/">Go to the start</Anchor>
      </Group>
    </FullPageMessage>
  )
}
