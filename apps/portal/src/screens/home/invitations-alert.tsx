import { Alert, Anchor } from '@mantine/core'
import { IconMailOpened } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'

/** Tells the user that other workspaces have invited them. */
export function InvitationsAlert() {
  const { receivedInvitations } = useMe()
  if (receivedInvitations === 0) return null
  return (
    <Alert
      color="blue"
      mb="md"
      icon={<IconMailOpened size={20} aria-hidden />}
      title={`You have ${pluralize(receivedInvitations, 'invitation')}`}
    >
      <Anchor component={Link} to="/workspaces" inherit>
        Accept or decline
      </Anchor>
    </Alert>
  )
}
