import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { AddForm } from './add-form.tsx'
import { InviteForm } from './invite-form.tsx'
import { NewLink } from './new-link.tsx'
import type { Invitation } from './people-data.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  /** Called once an invitation is made. */
  readonly made: () => void
}

/** An invitation that was just made: its token is nowhere else. */
export interface MadeInvitation {
  readonly invitation: Invitation
  readonly token: string
}

/** Brings somebody into the workspace: by a link to send them, or at once where they have an account here. */
export const InviteDialog = (props: Props) => (
  // Shut by its buttons alone: what it shows in the end is shown once.
  <Dialog opened={props.isOpen} onClose={props.close} title="Invite somebody" closeOnClickOutside={false}>
    <Ways {...props} />
  </Dialog>
)

const ways = [
  { value: 'link', label: 'With a link' },
  { value: 'name', label: 'By username' },
]

function Ways({ close, made }: Props) {
  const [way, setWay] = useState('link')
  const [link, setLink] = useState<MadeInvitation | null>(null)
  if (link) return <NewLink {...link} close={close} />
  return (
    <Stack gap="md">
      <SegmentedControl data={ways} value={way} onChange={setWay} aria-label="How to invite" fullWidth />
      {way === 'link' ? (
        <InviteForm
          close={close}
          made={(one) => {
            setLink(one)
            made()
          }}
        />
      ) : (
        <AddForm close={close} />
      )}
    </Stack>
  )
}
