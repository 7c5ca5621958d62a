import { Anchor, Button, Group } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError, sentenceOf } from '../api/error.ts'
import { queryClient } from '../api/query.ts'
import { Message } from './message.tsx'

/** Stands where a screen could not be shown, with a way out. */
export function Failure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    document.title = 'Something went wrong · Reeve'
  }, [])
  const again = async () => {
    // What failed is read anew; what is known well stays.
    await queryClient.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    reset()
    await router.invalidate()
  }
  const isRefused = error instanceof ApiError && error.status === 403
  return (
    <Message title={isRefused ? 'This is not for you to see' : 'This could not be shown'}>
      <p>{sentenceOf(error)}</p>
      {error instanceof ApiError && error.requestId !== '' && error.status >= 500 ? (
        <p>If it stays like this, tell your operator: request {error.requestId}.</p>
      ) : null}
      <Group>
        <Button onClick={again}>Try again</Button>
        <Anchor href="/">Go to the start</Anchor>
      </Group>
    </Message>
  )
}
