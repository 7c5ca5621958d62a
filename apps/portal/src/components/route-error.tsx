import { Anchor, Button, Group } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError, getErrorMessage } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { FullPageMessage } from './full-page-message.tsx'

/** Replaces a screen that failed to load. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = async () => {
    // Refetch failed queries only.
    await queryClient.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    reset()
    await router.invalidate()
  }
  const isForbidden = error instanceof ApiError && error.status === 403
  return (
    <FullPageMessage title={isForbidden ? 'You don’t have access' : 'This page could not be loaded'}>
      <p>{getErrorMessage(error)}</p>
      {error instanceof ApiError && error.requestId !== '' && error.status >= 500 ? (
        <p>If this keeps happening, contact your operator and quote request {error.requestId}.</p>
      ) : null}
      <Group>
        <Button onClick={retry}>Try again</Button>
        <Anchor href="/">Go to the home page</Anchor>
      </Group>
    </FullPageMessage>
  )
}
