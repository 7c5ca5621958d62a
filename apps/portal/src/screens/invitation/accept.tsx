import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage, hasErrorCode } from '../../api/error.ts'
import type { Me } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { announceSignOut, stopWatchingSession } from '../../api/session-expiry.ts'
import { UserBadge } from '../../components/user-badge.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useRedirectToWorkspace } from './use-redirect.ts'

/** Lets the signed-in user join, after showing which account that is. */
export function AcceptInvitation({ token, me }: { readonly token: string; readonly me: Me }) {
  const redirectToWorkspace = useRedirectToWorkspace()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const [isMember, setIsMember] = useState(false)

  const runAction = async (action: () => Promise<void>) => {
    setIsBusy(true)
    setAlert('')
    try {
      await action()
    } catch (error) {
      setAlert(getErrorMessage(error))
      setIsMember(hasErrorCode(error, 'conflict'))
    } finally {
      setIsBusy(false)
    }
  }
  const join = () =>
    runAction(async () => {
      const { workspace } = await unwrap(api.POST('/portal/api/invitation/accept', { body: { token } }))
      await redirectToWorkspace(workspace)
    })
  const switchAccount = () =>
    runAction(async () => {
      const watchAgain = stopWatchingSession()
      await unwrap(api.POST('/portal/api/sign-out')).catch((error: unknown) => {
        // An expired session is fine: the goal is to be signed out.
        if (error instanceof ApiError && error.isSessionExpired) return
        watchAgain()
        throw error
      })
      announceSignOut(me.sessionId)
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' })
      queryClient.setQueryData(['invitation', 'current-user'], null)
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
        <Anchor component="button" type="button" size="sm" onClick={() => void switchAccount()}>
          Sign out and use another account
        </Anchor>
      </Text>
    </Stack>
  )
}
