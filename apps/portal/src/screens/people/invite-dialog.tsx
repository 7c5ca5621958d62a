import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { InviteByNameForm } from './invite-by-name-form.tsx'
import { InviteForm } from './invite-form.tsx'
import type { CreatedInvitation } from './people-data.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  /** Called after an invitation was created. */
  readonly onCreated: () => void
}

/** Invites someone with a link, or an existing account by its username. */
export const InviteDialog = (props: Props) => (
  // Not closed by a click outside: the link is shown only once.
  <Dialog opened={props.isOpen} onClose={props.close} title="Invite someone" closeOnClickOutside={false}>
    <InviteContent {...props} />
  </Dialog>
)

const methods = [
  { value: 'link', label: 'With a link' },
  { value: 'name', label: 'By username' },
]

function InviteContent({ close, onCreated }: Props) {
  const [method, setMethod] = useState('link')
  const [createdInvitation, setCreatedInvitation] = useState<CreatedInvitation | null>(null)
  if (createdInvitation) return <InvitationLink {...createdInvitation} close={close} />
  return (
    <Stack gap="md">
      <SegmentedControl
        data={methods}
        value={method}
        onChange={setMethod}
        aria-label="Invitation method"
        fullWidth
      />
      {method === 'link' ? (
        <InviteForm
          onCreated={(invitation) => {
            setCreatedInvitation(invitation)
            onCreated()
          }}
        />
      ) : (
        <InviteByNameForm close={close} onCreated={onCreated} />
      )}
    </Stack>
  )
}
