import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage } from '../../api/error.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { AcceptInvitation } from './accept.tsx'
import { InvitationSummary } from './invitation-summary.tsx'
import { Join } from './join.tsx'
import { useCurrentUser } from './use-current-user.ts'

/** An invitation to join a workspace. The token is behind the `#` of the address. */
export function Invitation() {
  const token = useLocation().hash
  return token === '' ? (
    <InvalidInvitation message={MISSING_TOKEN_MESSAGE} />
  ) : (
    <InvitationContent key={token} token={token} />
  )
}

const MISSING_TOKEN_MESSAGE = 'This link was not copied whole: what stands behind the # is missing.'

function InvitationContent({ token }: { readonly token: string }) {
  const currentUser = useCurrentUser()
  const invitationQuery = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => unwrap(api.POST('/portal/api/invitation', { body: { token } })),
    // What it gives, and whether it can be used at all, may have changed since it was looked at.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const retry = () => void Promise.all([invitationQuery.refetch(), currentUser.refetch()])
  if (invitationQuery.isError) {
    const isInvalid = invitationQuery.error instanceof ApiError && invitationQuery.error.status === 404
    const message = getErrorMessage(invitationQuery.error)
    return isInvalid ? (
      <InvalidInvitation message={message} />
    ) : (
      <InvitationError message={message} retry={retry} />
    )
  }
  if (currentUser.isError)
    return <InvitationError message={getErrorMessage(currentUser.error)} retry={retry} />
  if (!invitationQuery.data || currentUser.data === undefined) {
    return (
      <AuthLayout title="Invitation">
        <Stack gap="md" mt="lg" aria-busy="true">
          <Skeleton h={20} />
          <Skeleton h={48} />
          <Skeleton h={42} />
        </Stack>
      </AuthLayout>
    )
  }
  const { invitation } = invitationQuery.data
  return (
    <AuthLayout
      title={`Join ${invitation.groupName}`}
      description={`${invitation.invitedBy} invites you to the staff of ${invitation.groupName}.`}
    >
      <InvitationSummary invitation={invitation} />
      {invitation.status === 'archived' ? null : currentUser.data === null ? (
        <Join token={token} groupName={invitation.groupName} />
      ) : (
        <AcceptInvitation token={token} me={currentUser.data} />
      )}
    </AuthLayout>
  )
}

/** One that can be used no more, or never could: nobody is told which. */
const InvalidInvitation = ({ message }: { readonly message: string }) => (
  <AuthLayout title="This link does not work" description={message}>
    <Stack gap="sm" mt="lg">
      <Text size="sm">Whoever sent it to you can make a new one, under People.</Text>
      <Anchor href="/">Go to Reeve</Anchor>
    </Stack>
  </AuthLayout>
)

/** One that could not be looked at this time. */
const InvitationError = ({ message, retry }: { readonly message: string; readonly retry: () => void }) => (
  <AuthLayout title="Invitation">
    <Stack gap="md" mt="lg">
      <Text role="alert">{message}</Text>
      <Button size="md" fullWidth onClick={retry}>
        Try again
      </Button>
    </Stack>
  </AuthLayout>
)
