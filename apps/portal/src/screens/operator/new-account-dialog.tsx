import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api, unwrap } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { IssuedPasswordField } from './issued-password-field.tsx'
import { useOperatorRefresh } from './operator-data.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
}

/** Makes an account for somebody. */
export const NewAccountDialog = ({ isOpen, close }: Props) => (
  <Dialog opened={isOpen} onClose={close} title="Make an account">
    <NewAccountForm close={close} />
  </Dialog>
)

const labels = { username: 'Username', password: 'Password', isOperator: 'Operator' }

function NewAccountForm({ close }: Pick<Props, 'close'>) {
  const refresh = useOperatorRefresh()
  const form = useForm({
    mode: 'controlled',
    initialValues: { username: '', password: '', isOperator: false },
  })
  const submit = useSubmit(form, labels, async ({ isOperator, ...values }) => {
    const body = { ...values, isOperator: String(isOperator) }
    const { account } = await unwrap(api.POST('/admin/api/accounts', { body }))
    close()
    notifySuccess(`${account.username} can sign in.`)
    await refresh()
  })
  return (
    <DialogForm submit={submit} cancel={close} submitLabel="Make the account">
      <TextInput
        {...plainTextProps}
        label={labels.username}
        description="What they sign in with; everybody sees it"
        name="username"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('username')}
      />
      <IssuedPasswordField label={labels.password} input={form.getInputProps('password')} />
      <Checkbox
        label="It operates this instance"
        description="Sees all accounts and workspaces by name, sets passwords and quotas"
        {...form.getInputProps('isOperator', { type: 'checkbox' })}
      />
    </DialogForm>
  )
}
