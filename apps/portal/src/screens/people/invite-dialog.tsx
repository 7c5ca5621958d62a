import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { useDirtyCheck } from '../../components/dialog-context.ts'
import { InvitationLink } from './invitation-link.tsx'
import { InviteByNameForm, useNameForm } from './invite-by-name-form.tsx'
import { InviteForm, useLinkForm } from './invite-form.tsx'
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

/** Both forms keep what was typed and chosen when the user changes the method; the roles are those of either. */
function InviteContent({ close, onCreated }: Props) {
  const [method, setMethod] = useState('link')
  const [roleIds, setRoleIds] = useState<readonly string[]>([])
  const linkForm = useLinkForm()
  const nameForm = useNameForm()
  const [createdInvitation, setCreatedInvitation] = useState<CreatedInvitation | null>(null)
  // Also what the form contains that is not shown.
  const hasText = () => {
    const { email, note } = linkForm.getValues()
    return [email, note, nameForm.getValues().username].some((text) => text.trim() !== '')
  }
  useDirtyCheck(() => createdInvitation === null && hasText())
  if (createdInvitation) return <InvitationLink {...createdInvitation} close={close} />
  const chooseRoles = (ids: readonly string[]) => {
    linkForm.clearFieldError('roleIds')
    nameForm.clearFieldError('roleIds')
    setRoleIds(ids)
  }
  const roles = { roleIds, setRoleIds: chooseRoles }
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
          form={linkForm}
          {...roles}
          onCreated={(invitation) => {
            setCreatedInvitation(invitation)
            onCreated()
          }}
        />
      ) : (
        <InviteByNameForm form={nameForm} {...roles} close={close} onCreated={onCreated} />
      )}
    </Stack>
  )
}
