import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, take } from '../../api/client.ts'
import { ApiError, sentenceOf } from '../../api/error.ts'
import type { Me } from '../../api/me.ts'
import { queryClient } from '../../api/query.ts'
import { uncover } from '../../api/session-end.ts'
import { FormAlert } from '../../components/form-alert.tsx'
import { UserBadge } from '../../components/user-badge.tsx'
import { useArrival } from './use-arrival.ts'

/** Joins as whoever is signed in, once they know who that is. */
export function Accept({ token, me }: { readonly token: string; readonly me: Me }) {
  const arrive = useArrival()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const [isMember, setIsMember] = useState(false)

  const attempt = async (work: () => Promise<void>) => {
    setIsBusy(true)
    setAlert('')
    try {
      await work()
    } catch (error) {
      setAlert(sentenceOf(error))
      setIsMember(error instanceof ApiError && error.code === 'conflict')
    } finally {
      setIsBusy(false)
    }
  }
  const join = () =>
    attempt(async () => {
      const { workspace } = await take(api.POST('/portal/api/invitation/accept', { body: { token } }))
      await arrive(workspace)
    })
  const leave = () =>
    attempt(async () => {
      uncover(false)
      await take(api.POST('/portal/api/sign-out')).catch((error: unknown) => {
        // A session that is over already is what was wanted.
        if (!(error instanceof ApiError && error.isSessionOver)) throw error
      })
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' })
      queryClient.setQueryData(['invitation', 'who'], null)
    })
  return (
    <Stack gap="md" mt="lg">
      <UserBadge name={me.username} note="Signed in" size="md" />
      <Button size="md" fullWidth onClick={() => void join()} loading={isBusy}>
        Join as {me.username}
      </Button>
      <FormAlert>{alert}</FormAlert>
      {isMember ? (
        <Anchor component={Link} to="/workspaces">
          Your workspaces
        </Anchor>
      ) : null}
      <Text size="sm" c="dimmed">
        Not you?{' '}
        <Anchor component="button" type="button" size="sm" onClick={() => void leave()}>
          Sign out and use another account
        </Anchor>
      </Text>
    </Stack>
  )
}
