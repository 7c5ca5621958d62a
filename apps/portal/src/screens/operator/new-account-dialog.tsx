import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api, take } from '../../api/client.ts'
import { FormAlert } from '../../components/form-alert.tsx'
import { tellDone } from '../../components/tell.tsx'
import { plainText } from '../../forms/plain-text.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { useOperatorRefresh } from './data.ts'
import { NewPasswordField } from './new-password-field.tsx'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
}

/** Makes an account for somebody. */
export const NewAccountDialog = ({ isOpen, close }: Props) => (
  <Modal opened={isOpen} onClose={close} title="Make an account" closeButtonProps={{ 'aria-label': 'Close' }}>
    <NewAccountForm close={close} />
  </Modal>
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
    const { account } = await take(api.POST('/admin/api/accounts', { body }))
    close()
    tellDone(`${account.username} can sign in.`)
    await refresh()
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          {...plainText}
          label={labels.username}
          description="What they sign in with; everybody sees it"
          name="username"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('username')}
        />
        <NewPasswordField label={labels.password} input={form.getInputProps('password')} />
        <Checkbox
          label="It operates this instance"
          description="Sees all accounts and workspaces by name, sets passwords and quotas"
          {...form.getInputProps('isOperator', { type: 'checkbox' })}
        />
        <FormAlert>{submit.alert}</FormAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={submit.isBusy}>
            Make the account
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
