import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { sentenceOf } from '../../api/error.ts'
import { useMay } from '../../api/me.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormAlert } from '../../components/form-alert.tsx'
import { tellDone } from '../../components/tell.tsx'
import { AddPerson } from './add-person.tsx'
import { ChosenPeople } from './chosen-people.tsx'
import type { Department } from './department-data.ts'
import { isSame, type Person, type Staff, staffOf } from './staff.ts'
import { useSaveStaff } from './use-save-staff.ts'

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
    {department ? <Choice department={department} close={close} /> : null}
  </Dialog>
)

function Choice({ department, close }: { readonly department: Department; readonly close: () => void }) {
  const mayFind = useMay('members.view')
  const [staff, setStaff] = useState<Staff>(() => staffOf(department))
  const [told, setTold] = useState('')
  const [alert, setAlert] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const save = useSaveStaff(department, setStaff)

  const add = (person: Person) => {
    setStaff({ ...staff, people: [...staff.people, person] })
    setTold(`${person.username} is in.`)
  }
  const takeOut = ({ accountId, username }: Person) => {
    const people = staff.people.filter((one) => one.accountId !== accountId)
    setStaff({ people, leadId: staff.leadId === accountId ? null : staff.leadId })
    setTold(`${username} is out.`)
  }
  const go = async () => {
    if (isSame(staff, staffOf(department))) return close()
    setIsBusy(true)
    setAlert('')
    try {
      await save(staff)
      close()
      tellDone(`Saved who is in “${department.name}”.`)
    } catch (error) {
      setAlert(sentenceOf(error))
      setIsBusy(false)
    }
  }
  return (
    <Stack gap="md">
      {mayFind ? (
        <AddPerson chosen={staff.people} add={add} />
      ) : (
        <Text size="sm" c="dimmed">
          You may not see who is a member of this workspace, so you can only choose among those who are in the
          department already.
        </Text>
      )}
      <ChosenPeople staff={staff} takeOut={takeOut} lead={(leadId) => setStaff({ ...staff, leadId })} />
      <VisuallyHidden role="status">{told}</VisuallyHidden>
      <FormAlert>{alert}</FormAlert>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={() => void go()} loading={isBusy}>
          Save
        </Button>
      </Group>
    </Stack>
  )
}
