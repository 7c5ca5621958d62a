import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage } from '../../api/error.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { formatActorName } from '../../components/blanked-name.ts'
import { AcceptInvitation } from './accept.tsx'
import { InvitationSummary } from './invitation-summary.tsx'
import { Join } from './join.tsx'
import { useCurrentUser } from './use-current-user.ts'

/** An invitation to join a workspace. The token is the fragment of the URL. */
export function Invitation() {
  const token = useLocation().hash
  return token === '' ? (
    <InvalidInvitation message={MISSING_TOKEN_MESSAGE} />
  ) : (
    <InvitationContent key={token} token={token} />
  )
}

const MISSING_TOKEN_MESSAGE = 'This link is incomplete: the part after the # is missing.'

function InvitationContent({ token }: { readonly token: string }) {
  const currentUser = useCurrentUser()
  const invitationQuery = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => unwrap(api.POST('/portal/api/invitation', { body: { token } })),
    // Its roles and validity may have changed since the last visit.
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
      description={`${formatActorName(invitation.invitedBy)} has invited you to join the staff of ${invitation.groupName}.`}
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

/** A used, expired or unknown invitation; the server does not reveal which. */
const InvalidInvitation = ({ message }: { readonly message: string }) => (
  <AuthLayout title="This link does not work" description={message}>
    <Stack gap="sm" mt="lg">
      <Text size="sm">
        Ask the person who sent you the link for a new one. They can create it under People.
      </Text>
      <Anchor href="/">Go to Reeve</Anchor>
    </Stack>
  </AuthLayout>
)

/** An invitation that could not be loaded. */
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
