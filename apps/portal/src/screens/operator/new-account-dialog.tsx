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

/** Creates an account for someone else. */
export const NewAccountDialog = ({ isOpen, close }: Props) => (
  <Dialog opened={isOpen} onClose={close} title="New account">
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
    notifySuccess(`Created account ${account.username}.`)
    await refresh()
  })
  return (
    <DialogForm submit={submit} cancel={close} submitLabel="Create account">
      <TextInput
        {...plainTextProps}
        label={labels.username}
        description="Used to sign in and visible to everyone"
        name="username"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('username')}
      />
      <IssuedPasswordField label={labels.password} input={form.getInputProps('password')} />
      <Checkbox
        label="Operator of this instance"
        description="Can list all accounts and workspaces, reset passwords and set quotas"
        {...form.getInputProps('isOperator', { type: 'checkbox' })}
      />
    </DialogForm>
  )
}
