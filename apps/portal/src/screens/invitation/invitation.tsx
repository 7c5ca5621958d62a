import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { api, take } from '../../api/client.ts'
import { ApiError, sentenceOf } from '../../api/error.ts'
import { Front } from '../../components/front.tsx'
import { Accept } from './accept.tsx'
import { Gift } from './gift.tsx'
import { Join } from './join.tsx'
import { useWho } from './who.ts'

/** An invitation to join a workspace. The token is behind the `#` of the address. */
export function Invitation() {
  const token = useLocation().hash
  return token === '' ? <Unusable sentence={NO_TOKEN} /> : <Read key={token} token={token} />
}

const NO_TOKEN = 'This link was not copied whole: what stands behind the # is missing.'

function Read({ token }: { readonly token: string }) {
  const who = useWho()
  const read = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => take(api.POST('/portal/api/invitation', { body: { token } })),
    // What it gives, and whether it can be used at all, may have changed since it was looked at.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const again = () => void Promise.all([read.refetch(), who.refetch()])
  if (read.isError) {
    const isGone = read.error instanceof ApiError && read.error.status === 404
    const sentence = sentenceOf(read.error)
    return isGone ? <Unusable sentence={sentence} /> : <NotRead sentence={sentence} again={again} />
  }
  if (who.isError) return <NotRead sentence={sentenceOf(who.error)} again={again} />
  if (!read.data || who.data === undefined) {
    return (
      <Front title="Invitation">
        <Stack gap="md" mt="lg" aria-busy="true">
          <Skeleton h={20} />
          <Skeleton h={48} />
          <Skeleton h={42} />
        </Stack>
      </Front>
    )
  }
  const { invitation } = read.data
  return (
    <Front
      title={`Join ${invitation.groupName}`}
      lead={`${invitation.invitedBy} invites you to the staff of ${invitation.groupName}.`}
    >
      <Gift invitation={invitation} />
      {invitation.status === 'archived' ? null : who.data === null ? (
        <Join token={token} groupName={invitation.groupName} />
      ) : (
        <Accept token={token} me={who.data} />
      )}
    </Front>
  )
}

/** One that can be used no more, or never could: nobody is told which. */
const Unusable = ({ sentence }: { readonly sentence: string }) => (
  <Front title="This link does not work" lead={sentence}>
    <Stack gap="sm" mt="lg">
      <Text size="sm">Whoever sent it to you can make a new one, under People.</Text>
      <Anchor href="/">Go to Reeve</Anchor>
    </Stack>
  </Front>
)

/** One that could not be looked at this time. */
const NotRead = ({ sentence, again }: { readonly sentence: string; readonly again: () => void }) => (
  <Front title="Invitation">
    <Stack gap="md" mt="lg">
      <Text role="alert">{sentence}</Text>
      <Button size="md" fullWidth onClick={again}>
        Try again
      </Button>
    </Stack>
  </Front>
)
