import { Button, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { getErrorMessage } from '../../api/error.ts'
import { useHasPermission } from '../../api/me.ts'
import { CancelButton } from '../../components/cancel-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useDialogLock } from '../../components/dialog-context.ts'
import { DialogFooter } from '../../components/dialog-footer.tsx'
import { BlockedAlert, WriteGuard } from '../../components/endpoint-state.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { AddMember } from './add-member.tsx'
import type { Department } from './department-data.ts'
import { type MemberRef, type MemberSelection, toMemberSelection } from './member-selection.ts'
import { SelectedMembers } from './selected-members.tsx'
import { useSaveMembers } from './use-save-members.ts'

interface Props {
  /** The department whose members are edited; null while the dialog is closed. */
  readonly department: Department | null
  readonly close: () => void
}

/** Selects the members and the lead of a department. */
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
  useDialogLock(isBusy)

  const add = (member: MemberRef) => {
    setSelection({ ...selection, people: [...selection.people, member] })
    setAnnouncement(`Added ${member.username}.`)
  }
  const remove = ({ accountId, username }: MemberRef) => {
    const people = selection.people.filter((member) => member.accountId !== accountId)
    setSelection({ people, leadId: selection.leadId === accountId ? null : selection.leadId })
    setAnnouncement(`Removed ${username}.`)
  }
  const submit = async () => {
    setIsBusy(true)
    setAlert('')
    try {
      const isSaved = await save(selection)
      close()
      if (isSaved) notifySuccess(`Saved the members of “${department.name}”.`)
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
          You do not have permission to see the members of this workspace, so you can only choose among the
          current members of the department.
        </Text>
      )}
      <SelectedMembers
        selection={selection}
        remove={remove}
        setLead={(leadId) => setSelection({ ...selection, leadId })}
      />
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <BlockedAlert endpoint="departments" />
      <DialogFooter note={<FormAlert>{alert}</FormAlert>}>
        <CancelButton isBusy={isBusy} />
        <WriteGuard endpoint="departments">
          <Button onClick={() => void submit()} loading={isBusy}>
            Save
          </Button>
        </WriteGuard>
      </DialogFooter>
    </Stack>
  )
}
