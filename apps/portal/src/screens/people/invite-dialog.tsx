import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { AddMemberForm } from './add-member-form.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { InviteForm } from './invite-form.tsx'
import type { CreatedInvitation } from './people-data.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  /** Called once an invitation is made. */
  readonly onCreated: () => void
}

/** Brings somebody into the workspace: by a link to send them, or at once where they have an account here. */
export const InviteDialog = (props: Props) => (
  // Shut by its buttons alone: what it shows in the end is shown once.
  <Dialog opened={props.isOpen} onClose={props.close} title="Invite somebody" closeOnClickOutside={false}>
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
        aria-label="How to invite"
        fullWidth
      />
      {method === 'link' ? (
        <InviteForm
          close={close}
          onCreated={(invitation) => {
            setCreatedInvitation(invitation)
            onCreated()
          }}
        />
      ) : (
        <AddMemberForm close={close} />
      )}
    </Stack>
  )
}
