import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { openModal } from '../../components/modals.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { type Passkey, renamePasskey } from './passkeys.ts'

const labels = { name: 'Name' }

/** Opens a dialog that renames a passkey. */
export const openRenamePasskeyDialog = (passkey: Passkey, refresh: () => Promise<unknown>): void =>
  openModal({
    title: 'Rename passkey',
    closeOnClickOutside: false,
    render: (close) => <PasskeyNameForm passkey={passkey} refresh={refresh} close={close} />,
  })

interface Props {
  readonly passkey: Passkey
  readonly refresh: () => Promise<unknown>
  readonly close: () => void
}

function PasskeyNameForm({ passkey, refresh, close }: Props) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: passkey.name } })
  const submit = useSubmit(form, labels, async ({ name }) => {
    await renamePasskey(passkey.id, name)
    await refresh()
    close()
  })
  return (
    <DialogForm submit={submit} submitLabel="Rename">
      <TextInput
        label={labels.name}
        description="Such as the device or password manager that has it"
        maxLength={60}
        autoComplete="off"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
    </DialogForm>
  )
}
