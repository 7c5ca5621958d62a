import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { getErrorMessage } from '../../api/error.ts'
import { useHasPermission } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { AddMember } from './add-member.tsx'
import type { Department } from './department-data.ts'
import {
  isSameSelection,
  type MemberRef,
  type MemberSelection,
  toMemberSelection,
} from './member-selection.ts'
import { SelectedMembers } from './selected-members.tsx'
import { useSaveMembers } from './use-save-members.ts'

interface Props {
  /** The department whose members are chosen; null while the dialog is shut. */
  readonly department: Department | null
  readonly close: () => void
}

/** Chooses who is in a department, and who leads it. */
export const MembersDialog = ({ department, close }: Props) => (
  <Dialog
    opened={department !== null}
    onClose={close}
    title={department ? `Members of “${department.name}”` : ''}
    closeOnClickOutside={false}
  >
    {department ? <MembersForm department={department} close={close} /> : null}
  </Dialog>
)

function MembersForm({ department, close }: { readonly department: Department; readonly close: () => void }) {
  const canSearch = useHasPermission('members.view')
  const [selection, setSelection] = useState<MemberSelection>(() => toMemberSelection(department))
  const [announcement, setAnnouncement] = useState('')
  const [alert, setAlert] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const save = useSaveMembers(department, setSelection)

  const add = (member: MemberRef) => {
    setSelection({ ...selection, people: [...selection.people, member] })
    setAnnouncement(`${member.username} is in.`)
  }
  const remove = ({ accountId, username }: MemberRef) => {
    const people = selection.people.filter((member) => member.accountId !== accountId)
    setSelection({ people, leadId: selection.leadId === accountId ? null : selection.leadId })
    setAnnouncement(`${username} is out.`)
  }
  const submit = async () => {
    if (isSameSelection(selection, toMemberSelection(department))) return close()
    setIsBusy(true)
    setAlert('')
    try {
      await save(selection)
      close()
      notifySuccess(`Saved who is in “${department.name}”.`)
    } catch (error) {
      setAlert(getErrorMessage(error))
      setIsBusy(false)
    }
  }
  return (
    <Stack gap="md">
      {canSearch ? (
        <AddMember selected={selection.people} add={add} />
      ) : (
        <Text size="sm" c="dimmed">
          You may not see who is a member of this workspace, so you can only choose among those who are in the
          department already.
        </Text>
      )}
      <SelectedMembers
        selection={selection}
        remove={remove}
        setLead={(leadId) => setSelection({ ...selection, leadId })}
      />
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <FormAlert>{alert}</FormAlert>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={() => void submit()} loading={isBusy}>
          Save
        </Button>
      </Group>
    </Stack>
  )
}
