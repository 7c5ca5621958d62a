import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../forms/dialog-form.tsx'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { useOperatorRefresh } from './operator-data.ts'
import { type CreatedLink, PasswordLink } from './password-link.tsx'

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

const labels = { username: 'Username', isOperator: 'Operator' }

function NewAccountForm({ close }: Pick<Props, 'close'>) {
  const refresh = useOperatorRefresh()
  const [created, setCreated] = useState<{ username: string; link: CreatedLink } | null>(null)
  const form = useForm({
    mode: 'controlled',
    initialValues: { username: '', isOperator: false },
  })
  const submit = useSubmit(form, labels, async ({ isOperator, ...values }) => {
    const body = { ...values, isOperator: String(isOperator) }
    const { account, link } = await unwrap(api.POST('/admin/api/accounts', { body }))
    setCreated({ username: account.username, link })
    await refresh()
  })
  if (created) return <PasswordLink username={created.username} link={created.link} close={close} />
  return (
    <DialogForm submit={submit} submitLabel="Create account">
      <TextInput
        {...plainTextProps}
        label={labels.username}
        description="Used to sign in and visible to everyone"
        name="username"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('username')}
      />
      <Checkbox
        label="Operator of this instance"
        description="Can list all accounts and workspaces, create password links and set quotas"
        {...form.getInputProps('isOperator', { type: 'checkbox' })}
      />
    </DialogForm>
  )
}
